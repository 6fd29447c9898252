# models.py
#   What django_orm.py tries: two models with ids.
from django.db import models

from sno_django import SnoField


class Event(models.Model):
    id = SnoField(primary_key=True, editable=False)
    payload = models.TextField(null=True)


class Note(models.Model):
    id = SnoField(primary_key=True, editable=False)
    event = models.ForeignKey(Event, models.CASCADE, null=True)
