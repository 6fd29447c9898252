# sno with Rails' Active Record: an id is a string, an array of them an array of strings.
# Without this, that is so, too, but with a warning, and schema.rb leaves the tables out.
require 'active_record'
require 'active_record/connection_adapters/postgresql_adapter'

class SnoType < ActiveRecord::Type::String
  def type
    :sno
  end
end

module SnoColumns
  def initialize_type_map(map = type_map)
    map.register_type 'sno', SnoType.new
    super
  end
end

postgresql = ActiveRecord::ConnectionAdapters::PostgreSQL
ActiveRecord::ConnectionAdapters::PostgreSQLAdapter.prepend SnoColumns
ActiveRecord::ConnectionAdapters::PostgreSQLAdapter::NATIVE_DATABASE_TYPES[:sno] = { name: 'sno' }
[postgresql::TableDefinition, postgresql::Table].each do |table|
  table.define_method(:sno) { |*names, **options| names.each { |name| column(name, :sno, **options) } }
end

class Event < ActiveRecord::Base
  has_many :notes
  scope :since, ->(time) { where('events.id >= ?::timestamptz', time) }
end

class Note < ActiveRecord::Base
  belongs_to :event, optional: true
end
