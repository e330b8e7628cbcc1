// A permit that anybody can make shows nothing.
// Refused: cannot initialize a tuple struct which contains private fields

use std::marker::PhantomData;

use outlive::locks::IoPermit;

fn main() {
    let _permit = IoPermit(PhantomData);
}
