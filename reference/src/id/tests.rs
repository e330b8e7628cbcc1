//! What is no identity is refused, and what has no order cannot be asked for one.

use super::*;

/// Two ways to be it for whatever has an order, so that naming it without saying which is an error there.
trait HasNoOrder<Way> {
    fn holds() {}
}

impl<T: ?Sized> HasNoOrder<()> for T {}
impl<T: ?Sized + PartialOrd> HasNoOrder<u8> for T {}

#[test]
fn what_must_not_be_compared_by_size_cannot_be() {
    // It does not compile if one of them has an order.
    <Incarnation as HasNoOrder<_>>::holds();
    <Generation as HasNoOrder<_>>::holds();
    <SnapshotId as HasNoOrder<_>>::holds();
    <LifeName as HasNoOrder<_>>::holds();
    <GatewayName as HasNoOrder<_>>::holds();
    <OperationName as HasNoOrder<_>>::holds();
    <InstanceId as HasNoOrder<_>>::holds();
    <Launch as HasNoOrder<_>>::holds();
    <Mark as HasNoOrder<_>>::holds();
}

#[test]
fn numbers_that_json_would_round_are_refused() {
    assert_eq!(Incarnation::try_from(NUMBER_LIMIT), Err(InvalidId::TooLarge { found: NUMBER_LIMIT }));
    assert_eq!(Generation::try_from(NUMBER_LIMIT - 1).map(Generation::number), Ok(NUMBER_LIMIT - 1));
    assert!(serde_json::from_str::<Incarnation>("9007199254740992").is_err());
    assert!(serde_json::from_str::<Generation>("-1").is_err());
    assert_eq!(Launch::try_from(NUMBER_LIMIT), Err(InvalidId::TooLarge { found: NUMBER_LIMIT }));
    assert_eq!(Mark::try_from(NUMBER_LIMIT - 1).unwrap().next(), Err(InvalidId::TooLarge { found: NUMBER_LIMIT }));
    assert_eq!(Incarnation(NUMBER_LIMIT - 1).next(), None);
    let last = Generation(NUMBER_LIMIT - 1);
    assert_eq!(Generation::after(Some(last)), Err(InvalidId::TooLarge { found: NUMBER_LIMIT }));
    let page = PageName::new(Incarnation(2), Generation(7));
    let text = serde_json::to_string(&page).unwrap();
    assert_eq!(text, r#"{"incarnation":2,"generation":7}"#);
    assert_eq!(serde_json::from_str::<PageName>(&text).unwrap(), page);
}

#[test]
fn pages_are_counted_from_one() {
    assert_eq!(Generation::try_from(0), Err(InvalidId::Zero));
    assert!(serde_json::from_str::<PageName>(r#"{"incarnation":2,"generation":0}"#).is_err());
    assert_eq!(Generation::after(None), Ok(Generation(1)));
    assert_eq!(Generation::after(Some(Generation(7))), Ok(Generation(8)));
}

#[test]
fn names_that_would_garble_a_log_are_refused() {
    assert_eq!(ComputerId::new(""), Err(InvalidId::Empty));
    assert_eq!(ComputerId::new("a\nb"), Err(InvalidId::ControlCharacter { character: '\n' }));
    assert_eq!(ComputerId::new("x".repeat(201)), Err(InvalidId::TooLong { found: 201, limit: 200 }));
    assert!(ComputerId::new("x".repeat(200)).is_ok());
    assert!(serde_json::from_str::<GatewayName>(r#""""#).is_err());
    assert_eq!(serde_json::from_str::<GatewayName>(r#""g-1""#).unwrap().as_str(), "g-1");
}

#[test]
fn of_two_launches_one_is_newer_and_of_two_marks_one_is_beyond() {
    let (old, new) = (Launch::try_from(9).unwrap(), Launch::try_from(10).unwrap());
    assert!(new.is_newer_than(old) && !old.is_newer_than(new) && !new.is_newer_than(new));
    assert_eq!((old.or_newer(new), new.or_newer(old)), (new, new));
    let next = Mark::START.next().unwrap();
    assert!(next.is_beyond(Mark::START) && !Mark::START.is_beyond(next) && !next.is_beyond(next));
}

#[test]
fn no_two_instances_share_a_name() {
    assert_ne!(InstanceId::mint(), InstanceId::mint());
}

#[test]
fn restart_4_no_two_lives_share_a_name() {
    assert_ne!(LifeName::mint(), LifeName::mint());
}

#[test]
fn equal_ids_mean_equal_bytes() {
    let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(SnapshotId::of(b"").to_string(), of_nothing);
    assert_ne!(SnapshotId::of(b"a"), SnapshotId::of(b"b"));
}
