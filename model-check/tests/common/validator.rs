//! Whether a document is of a schema, as far as our schemas go.

use serde_json::{Map, Value};

/// A schema with its definitions.
pub(crate) struct Validator<'a> {
    definitions: &'a Map<String, Value>,
    schema: &'a Value,
}

/// What says something to people, or to those who reserve memory for a number.
const SAYS_NOTHING: [&str; 4] = ["description", "title", "format", "$schema"];

impl<'a> Validator<'a> {
    /// Of this definition.
    pub(crate) fn of(schema: &'a Value, definition: &str) -> Validator<'a> {
        let definitions = schema["$defs"].as_object().expect("a schema of several definitions");
        Validator { definitions, schema: &definitions[definition] }
    }

    /// What of the document is not of the schema. A field that no schema names is wrong as well.
    pub(crate) fn wrong(&self, document: &Value) -> Vec<String> {
        self.look(document, self.schema, "")
    }

    fn look(&self, document: &Value, schema: &Value, at: &str) -> Vec<String> {
        let Some(keywords) = schema.as_object() else { return refuse(schema != &Value::Bool(true), at, schema) };
        let keywords = keywords.iter().filter(|(keyword, _)| !SAYS_NOTHING.contains(&keyword.as_str()));
        keywords.flat_map(|(keyword, wanted)| self.hold(document, schema, keyword, wanted, at)).collect()
    }

    /// Holds the document against one keyword.
    fn hold(&self, document: &Value, schema: &Value, keyword: &str, wanted: &Value, at: &str) -> Vec<String> {
        let list = || wanted.as_array().expect("a list").iter();
        match keyword {
            "$ref" => {
                let name = wanted.as_str().and_then(|path| path.strip_prefix("#/$defs/")).expect("a definition");
                self.look(document, &self.definitions[name], at)
            }
            "type" => refuse(!is_of_type(document, wanted), at, wanted),
            "const" => refuse(document != wanted, at, wanted),
            "enum" => refuse(!list().any(|one| one == document), at, wanted),
            "anyOf" | "oneOf" => {
                let fits = list().any(|one| self.look(document, one, at).is_empty());
                refuse(!fits, at, wanted)
            }
            "required" => {
                let missing = list().filter(|name| document.get(name.as_str().expect("a name")).is_none());
                missing.map(|name| format!("{at} lacks {name}")).collect()
            }
            "properties" => self.fields(document, wanted, at),
            "items" if schema.get("prefixItems").is_none() => self.items(document, std::iter::repeat(wanted), at),
            "prefixItems" => self.items(document, list(), at),
            // What counts items or numbers says nothing of a null, which the type may allow.
            "minItems" | "maxItems" | "minimum" | "maximum" if document.is_null() => Vec::new(),
            "minItems" => {
                refuse(document.as_array().map(Vec::len) < wanted.as_u64().map(|least| least as usize), at, wanted)
            }
            "maxItems" => {
                refuse(document.as_array().map(Vec::len) > wanted.as_u64().map(|most| most as usize), at, wanted)
            }
            "minimum" => refuse(document.as_f64() < wanted.as_f64(), at, wanted),
            "maximum" => refuse(document.as_f64() > wanted.as_f64(), at, wanted),
            "additionalProperties" if wanted.is_object() => self.others(document, schema, wanted, at),
            // Said or not, a field that no schema names is wrong.
            "additionalProperties" => refuse(wanted != &Value::Bool(false), at, schema),
            other => panic!("the validator does not know `{other}`"),
        }
    }

    fn fields(&self, document: &Value, wanted: &Value, at: &str) -> Vec<String> {
        let Some(fields) = document.as_object() else { return Vec::new() };
        let look = |(name, value): (&String, &Value)| match wanted.get(name) {
            Some(schema) => self.look(value, schema, &format!("{at}/{name}")),
            None => vec![format!("{at}/{name} is of no schema")],
        };
        fields.iter().flat_map(look).collect()
    }

    /// The fields that are not named.
    fn others(&self, document: &Value, schema: &Value, wanted: &Value, at: &str) -> Vec<String> {
        let is_named = |name: &str| schema["properties"].get(name).is_some();
        let others = document.as_object().into_iter().flatten().filter(|(name, _)| !is_named(name));
        others.flat_map(|(name, value)| self.look(value, wanted, &format!("{at}/{name}"))).collect()
    }

    fn items<'s>(&self, document: &Value, schemas: impl Iterator<Item = &'s Value>, at: &str) -> Vec<String> {
        let items = document.as_array().into_iter().flatten().zip(schemas).enumerate();
        items.flat_map(|(place, (item, schema))| self.look(item, schema, &format!("{at}/{place}"))).collect()
    }
}

fn refuse(is_wrong: bool, at: &str, wanted: &Value) -> Vec<String> {
    if is_wrong { vec![format!("{at} is not {wanted}")] } else { Vec::new() }
}

/// One type, or one of several.
fn is_of_type(document: &Value, wanted: &Value) -> bool {
    let is = |name: &Value| match name.as_str() {
        Some("null") => document.is_null(),
        Some("boolean") => document.is_boolean(),
        Some("integer") => document.is_u64() || document.is_i64(),
        Some("number") => document.is_number(),
        Some("string") => document.is_string(),
        Some("array") => document.is_array(),
        Some("object") => document.is_object(),
        _ => panic!("the validator does not know the type {name}"),
    };
    wanted.as_array().map_or_else(|| is(wanted), |several| several.iter().any(is))
}
