package io.hawser.core.testkit;

/** The invariants, by their names in docs/explanation/reliability.md. */
public enum InvariantName {
    DURABLE_ACK,
    NO_FORGET,
    IMMUTABLE,
    WHOLE_OR_NOTHING,
    EXACTLY_ONCE_DELIVERY,
    ORDER_BY_PATH,
    RESUME_FROM_DURABLE,
    BOUNDED_MEMORY,
    FAIL_STOP,
    NO_CHIMERA,
    ACCEPT_WHAT_CAN_FINISH,
    HONEST_ANSWERS,
    NO_SILENT_STOP,
    VERIFIED_THIS_RUN,
    AUTHORISED_BEFORE_MEMORY,
    REFUSE_DONT_CORRUPT
}
