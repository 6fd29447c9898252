# active_record.rb
#   sno with Rails' Active Record: the type and the models of examples/sno.rb.
#
# test/systems/clients/run runs it.
require './examples/sno'
require 'active_support/all'
require 'stringio'

TEXTS = %w[2222222222222222 9q7jqm682eks4222 xxxxxxxxxxxxxxxx].freeze

def same(got, expected, what)
  raise "#{what}: #{got.inspect}, not #{expected.inspect}" unless got == expected
  puts "ok - #{what}"
end

ActiveRecord::Base.establish_connection(adapter: 'postgresql')
puts "# Active Record #{ActiveRecord.version}, pg #{PG::VERSION}"
ActiveRecord::Migration.verbose = false
warnings = StringIO.new
$stderr = warnings
ActiveRecord::Schema.define do
  drop_table :event
  drop_table :reader
  create_table :events, id: :sno, default: -> { 'sno_generate(3)' } do |t|
    t.text :payload
  end
  create_table :notes, id: :sno, default: -> { 'sno_generate(4)' } do |t|
    t.sno :event_id, index: true
    t.sno :seen, array: true
  end
end

event = Event.create!(payload: 'hello')
same(Event.find(event.id), event, 'create brings the id')
same([Event.since(1.hour.ago).to_a, Event.since(1.hour.from_now).to_a], [[event], []], 'a range of time')
same(begin
  Event.where('id >= ?', 1.hour.ago).to_a
rescue ActiveRecord::StatementInvalid => e
  e.cause.class
end, PG::InvalidTextRepresentation, 'a time needs its type')
same(Event.insert_all(TEXTS.map { |id| { id: id, payload: id } }).rows.flatten, TEXTS, 'insert_all')
same(Event.where(id: TEXTS).order(:id).pluck(:id, :payload), TEXTS.zip(TEXTS), 'where with ids')
note = Note.create!(event: event, seen: [TEXTS[2], nil])
same([note.reload.event, note.seen, event.notes.to_a], [event, [TEXTS[2], nil], [note]],
     'related, with an array and a NULL in it')

dump = StringIO.new
has_pool = ActiveRecord.version >= Gem::Version.new('7.2')
ActiveRecord::SchemaDumper.dump(ActiveRecord::Base.public_send(has_pool ? :connection_pool : :connection), dump)
same(dump.string.scan(/(?:create_table|t\.sno|default:).*/), [
  'create_table "events", id: :sno, default: -> { "sno_generate(3)" }, force: :cascade do |t|',
  'create_table "notes", id: :sno, default: -> { "sno_generate(4)" }, force: :cascade do |t|',
  't.sno "event_id"',
  't.sno "seen", array: true'
], 'schema.rb has the tables, and nothing of the extension')
same(warnings.string, '', 'no type is unknown')
