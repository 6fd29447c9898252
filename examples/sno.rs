//! sno with tokio-postgres: ten bytes, alone, in arrays and in COPY, always in binary.
use std::{error::Error, fmt, str::FromStr};

use bytes::BytesMut;
use tokio_postgres::types::{to_sql_checked, FromSql, IsNull, ToSql, Type};

const ALPHABET: &[u8] = b"23456789abcdefghijklmnopqrstuvwx";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sno(pub [u8; 10]);

impl fmt::Display for Sno {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let bits = self.0.iter().fold(0, |bits, byte| bits << 8 | u128::from(*byte));
        let text: String = (0..16).map(|i| ALPHABET[(bits >> (75 - 5 * i)) as usize & 31] as char).collect();
        f.pad(&text)
    }
}

impl FromStr for Sno {
    type Err = Box<dyn Error + Sync + Send>;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bits = 0u128;
        for byte in text.bytes() {
            let group = ALPHABET.iter().position(|character| *character == byte);
            bits = bits << 5 | group.ok_or_else(|| format!("no sno: {text:?}"))? as u128;
        }
        if text.len() != 16 {
            return Err(format!("no sno: {text:?}").into());
        }
        Ok(Sno(bits.to_be_bytes()[6..].try_into()?))
    }
}

impl FromSql<'_> for Sno {
    fn from_sql(_: &Type, raw: &[u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Sno(raw.try_into()?))
    }

    fn accepts(ty: &Type) -> bool {
        ty.name() == "sno"
    }
}

impl ToSql for Sno {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        out.extend_from_slice(&self.0);
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        ty.name() == "sno"
    }

    to_sql_checked!();
}
