package io.hawser.gsi.testkit;

/** The kinds of proxies that {@link GridPki} makes, good and bad. */
public enum ProxyForm {
    FULL,
    LIMITED,
    /** With what a VOMS server attests, which is not looked at. */
    VOMS,
    LEGACY,
    LEGACY_LIMITED,
    EXPIRED,
    NOT_YET_VALID,
    INDEPENDENT,
    UNKNOWN_LANGUAGE,
    LAST,
    CLAIMS_CA,
    SIGNS_CERTIFICATES,
    OTHER_NAME,
    STRANGE_NAME,
    NOT_CRITICAL,
    UNKNOWN_CRITICAL,
    DRAFT
}
