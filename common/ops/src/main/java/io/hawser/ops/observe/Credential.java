package io.hawser.ops.observe;

/** By what a caller of the admin pages is admitted. */
enum Credential {
    /** The admin token. */
    TOKEN,
    /** A certificate of the CA. */
    CERTIFICATE,
    /** It is a process of this machine. */
    MACHINE
}
