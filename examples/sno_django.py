"""sno with Django: the field leaves the id of a new object to the column's default, and
reads it back."""
from django.db import models


class SnoField(models.Field):
    empty_strings_allowed = False
    db_returning = True

    def db_type(self, connection):
        return "sno"

    def pre_save(self, instance, add):
        value = super().pre_save(instance, add)
        if value is None and self.primary_key:
            return models.Func(template="DEFAULT")  # the column's
        return value
