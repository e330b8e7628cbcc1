//! What every protocol is asked about the packed form of its states.

use std::collections::HashMap;

use outlive_spec::protocol::Protocol;

/// Each of the first so many states comes back from its packed form, and none is packed like another. Says how many
/// there were.
pub(crate) fn assert_packed_alone<P: Protocol>(rules: &str, protocol: &P, most: usize) -> usize {
    let mut seen: HashMap<P::Packed, P::State> = HashMap::new();
    super::for_each_state(protocol, most, |state| {
        let packed = protocol.pack(state);
        assert_eq!(&protocol.unpack(&packed), state, "{rules}");
        assert_eq!(seen.insert(packed, state.clone()), None, "{rules}: two states are packed into one");
    });
    seen.len()
}
