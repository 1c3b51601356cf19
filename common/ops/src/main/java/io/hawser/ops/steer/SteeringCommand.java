package io.hawser.ops.steer;

/**
 * An operator's request.
 *
 * @param action what is asked
 * @param priority for {@link SteeringAction#PRIORITY}: 1 (last) to 9 (first); 0 for the others
 * @param by the caller's name, for the audit log and for reasons
 */
public record SteeringCommand(SteeringAction action, int priority, String by) {}
