// sno with Rust's tokio-postgres, and examples/sno.rs.
//
// test/systems/clients/run compiles and runs it, with Debian's crates.  Prints TAP.
mod sno;

use std::env::var;
use std::time::{Duration, SystemTime};

use futures_util::pin_mut;
use sno::Sno;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, NoTls};

const TEXTS: [&str; 3] = ["2222222222222222", "9q7jqm682eks4222", "xxxxxxxxxxxxxxxx"];

fn same<T: PartialEq + std::fmt::Debug>(got: T, expected: T, what: &str) {
    assert_eq!(got, expected, "{what}");
    println!("ok - {what}");
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = format!("host=localhost port={} user={} password={} dbname={}",
        var("PGPORT").unwrap(), var("PGUSER").unwrap(), var("PGPASSWORD").unwrap(), var("PGDATABASE").unwrap());
    let (client, connection) = tokio_postgres::connect(&config, NoTls).await?;
    tokio::spawn(connection);

    let ids: Vec<Sno> = TEXTS.iter().map(|text| text.parse().unwrap()).collect();
    same(format!("{} {} {}", ids[0], ids[1], ids[2]), TEXTS.join(" "), "the class reads and prints texts");
    same(ids[0] < ids[1] && ids[1] < ids[2], true, "it compares");
    same(["9Q7JQM682EKS4222", "9q7jqm682eks422"].iter().any(|text| text.parse::<Sno>().is_ok()), false,
        "it refuses other texts");

    let kind = client.prepare("SELECT $1::sno").await?.params()[0].clone();
    let copy = client.copy_in("COPY event (id, payload) FROM STDIN BINARY").await?;
    let writer = BinaryCopyInWriter::new(copy, &[kind, Type::TEXT]);
    pin_mut!(writer);
    for (id, text) in ids.iter().zip(TEXTS) {
        writer.as_mut().write(&[id, &text]).await?;
    }
    writer.finish().await?;
    let row = client.query_one(
        "SELECT array_agg(id ORDER BY id), array_agg(id::text ORDER BY id), $1::sno[] FROM event WHERE id = ANY ($1)",
        &[&vec![Some(ids[0]), None, Some(ids[2])]]).await?;
    same((row.get(0), row.get(1)), (vec![ids[0], ids[2]], vec![TEXTS[0], TEXTS[2]]),
        "COPY in, an array as a parameter, and as a result");
    same(row.get(2), vec![Some(ids[0]), None, Some(ids[2])], "with a NULL");
    same(client.query_one("SELECT id FROM event LIMIT 1", &[]).await?.try_get::<_, String>(0).is_err(), true,
        "no id as a String");
    same(client.query_one("SELECT id::text FROM event WHERE id = $1", &[&ids[1]]).await?.get::<_, String>(0),
        TEXTS[1].to_string(), "but its text");

    client.execute("TRUNCATE event", &[]).await?;
    let id: Sno = client.query_one("INSERT INTO event (payload) VALUES ('hello') RETURNING id", &[]).await?.get(0);
    let since = SystemTime::now() - Duration::from_secs(3600);
    same(client.query_one("SELECT id FROM event WHERE id >= $1::timestamptz", &[&since]).await?.get(0), id,
        "a generated id, and a range of time");
    println!("1..8");
    Ok(())
}
