//! Who may touch what: grants, precedence, lexical paths, and the permits the gate asks for.

pub mod deny;
pub mod explain;
pub mod grant;
pub mod lexical;
pub mod permit;
pub mod policy;
pub mod windows;

pub use deny::Deny;
pub use explain::Explanation;
pub use grant::Grant;
pub use permit::{Permit, Read, Right, RightKind, Write};
pub use policy::{GrantSpec, Policy, PolicySpec, Precedence};
