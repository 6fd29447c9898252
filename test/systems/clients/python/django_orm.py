# django_orm.py
#   sno with Django: the models of app, in tables that its migration makes.
#
# test/systems/clients/run runs it.  Prints TAP.
import datetime
import os
import tempfile

import django
import psycopg2
from django.conf import settings
from django.core.management import call_command
from django.db import connection, models, transaction
from django.db.models.functions import Cast
from django.db.utils import DatabaseError
from django.utils import timezone

from tap import TEXTS, TIME, finish, same

settings.configure(
    INSTALLED_APPS=["app"],
    DATABASES={"default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": os.environ["PGDATABASE"],
    }},
    USE_TZ=True,
)
django.setup()

from app.models import Event, Note  # they need the settings


def refused(sqlstate, what, run):
    """The error has this SQLSTATE, and the connection lives on"""
    try:
        with transaction.atomic():
            run()
        got = None
    except DatabaseError as error:
        got = error.__cause__.pgcode
    same((got, Event.objects.filter(pk="3" * 16).count()), (sqlstate, 0), what)


def migrated():
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE event; DROP EXTENSION sno")
    call_command("migrate", verbosity=0)
    try:
        call_command("makemigrations", check=True, dry_run=True, verbosity=0)
        changed = False
    except SystemExit:
        changed = True
    same(changed, False, "the migration has all that the models have")


def made_by_the_server():
    event = Event.objects.create(payload="hello")
    meta = models.Func("pk", function="sno_meta", output_field=models.IntegerField())
    got = Event.objects.values_list("payload", meta).get(pk=event.pk)
    same((len(event.pk), got), (16, ("hello", 3)), "create brings the id, with the default's metabyte")
    other = Event(payload="")
    same(other.pk, None, "a new one has none yet")
    other.save()
    other.payload = "changed"
    other.save()
    same(list(Event.objects.order_by("pk").values_list("pk", "payload")),
         [(event.pk, "hello"), (other.pk, "changed")], "save, twice")

    events = Event.objects.bulk_create([Event(payload=str(i)) for i in range(20)])
    got = Event.objects.filter(pk__gt=other.pk).order_by("pk")
    same([(event.pk, event.payload) for event in got],
         [(event.pk, event.payload) for event in events],
         "bulk_create, each object has the id of its row, in order")
    same(Event.objects.filter(pk=event.pk).delete(), (1, {"app.Event": 1}), "delete")


def by_time():
    since = timezone.now() - datetime.timedelta(hours=1)
    events = Event.objects.filter(pk__gte=since)
    before = Event.objects.filter(pk__lt=since)
    same((events.count(), before.count()), (21, 0), "a range of time")


def as_it_comes():
    Event.objects.all().delete()
    for pk in TEXTS:
        Event.objects.create(pk=pk, payload=pk)
    events = Event.objects.order_by("pk")
    same([event.pk for event in events.filter(pk__in=TEXTS[:2])], TEXTS[:2], "in")
    same([event.pk for event in events.filter(pk__gt=TEXTS[0])], TEXTS[1:], "a page after an id")
    event = Event.objects.annotate(at=Cast("pk", models.DateTimeField())).get(pk=TEXTS[1])
    same(event.at, TIME, "the time of an id")

    refused("22P02", "a text that is no sno", lambda: Event.objects.get(pk="9Q7JQM682EKS4222"))
    refused("22P02", "nor is an empty one", lambda: Event.objects.create(pk=""))


def related():
    event = Event.objects.create(payload="with notes")
    note = event.note_set.create()
    same(Note.objects.select_related("event").get(event=event.pk).event.payload,
         "with notes", "a foreign key")
    same(list(Event.objects.filter(note=note)), [event], "and back")
    same(Note.objects.get(pk=Note.objects.create().pk).event, None, "NULL")
    refused("23503", "a foreign key to nothing",
            lambda: (Note.objects.create(event_id="3" * 16), connection.check_constraints()))


def dumped():
    events = Event.objects.order_by("pk")
    rows = list(events.values())
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        call_command("dumpdata", "app", output=file.name)
        call_command("flush", interactive=False)
        none = events.count()
        call_command("loaddata", file.name, verbosity=0)
    same((none, list(events.values())), (0, rows), "dumpdata, flush and loaddata")


print(f"# Django {django.__version__}, psycopg2 {psycopg2.__version__}")
migrated()
made_by_the_server()
by_time()
as_it_comes()
related()
dumped()
finish()
