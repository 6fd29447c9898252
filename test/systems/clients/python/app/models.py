# models.py
#   What django_orm.py tries: a field for sno, and two models that have it.
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


class Event(models.Model):
    id = SnoField(primary_key=True, editable=False)
    payload = models.TextField(null=True)


class Note(models.Model):
    id = SnoField(primary_key=True, editable=False)
    event = models.ForeignKey(Event, models.CASCADE, null=True)
