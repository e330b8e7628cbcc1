//! A page as a browser reads it.

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// A page that was read.
pub(crate) struct Page {
    dom: RcDom,
}

/// An element of a page.
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    handle: Handle,
}

impl Page {
    pub(crate) fn read(text: &str) -> Page {
        Page { dom: parse_document(RcDom::default(), ParseOpts::default()).one(text) }
    }

    /// What a browser would have to guess.
    pub(crate) fn errors(&self) -> Vec<String> {
        self.dom.errors.borrow().iter().map(ToString::to_string).collect()
    }

    /// Every element, in order.
    pub(crate) fn elements(&self) -> Vec<Element> {
        elements(&self.dom.document)
    }

    /// The elements with this name.
    pub(crate) fn all(&self, name: &str) -> Vec<Element> {
        self.elements().into_iter().filter(|element| element.name == name).collect()
    }

    /// The elements of this class.
    pub(crate) fn of_class(&self, class: &str) -> Vec<Element> {
        self.elements().into_iter().filter(|element| element.has_class(class)).collect()
    }
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| attribute.0 == name).map(|attribute| attribute.1.as_str())
    }

    pub(crate) fn has_class(&self, class: &str) -> bool {
        self.attribute("class").is_some_and(|classes| classes.split(' ').any(|one| one == class))
    }

    /// The text in it.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        collect(&self.handle, &mut text);
        text
    }

    /// The elements in it.
    pub(crate) fn elements(&self) -> Vec<Element> {
        elements(&self.handle)
    }
}

fn elements(handle: &Handle) -> Vec<Element> {
    let mut found = Vec::new();
    for child in handle.children.borrow().iter() {
        if let NodeData::Element { name, attrs, .. } = &child.data {
            let attributes = attrs.borrow();
            let attributes =
                attributes.iter().map(|attribute| (attribute.name.local.to_string(), attribute.value.to_string()));
            found.push(Element {
                name: name.local.to_string(),
                attributes: attributes.collect(),
                handle: child.clone(),
            });
        }
        found.extend(elements(child));
    }
    found
}

fn collect(handle: &Handle, text: &mut String) {
    if let NodeData::Text { contents } = &handle.data {
        text.push_str(&contents.borrow());
    }
    handle.children.borrow().iter().for_each(|child| collect(child, text));
}

#[test]
fn what_a_browser_would_have_to_guess_is_an_error() {
    let whole = |body: &str| format!("<!DOCTYPE html><html><head><title>t</title></head><body>{body}</body></html>");
    assert_eq!(Page::read(&whole("<p>a</p>")).errors(), [""; 0]);
    for body in ["<p>a</p></b>", "<table><p>a</p></table>", "<div>a", "<b><i>a</b></i>", "<p id=a id=b>a</p>"] {
        assert!(!Page::read(&whole(body)).errors().is_empty(), "{body}");
    }
}
