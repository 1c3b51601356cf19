package io.hawser.ops.observe;

/**
 * A caller that is admitted to the admin pages.
 *
 * @param by its proof
 */
record Admission(Caller caller, Credential by) {}
