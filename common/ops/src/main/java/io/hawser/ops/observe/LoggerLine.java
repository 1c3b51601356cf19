package io.hawser.ops.observe;

/**
 * A logger of a node.
 *
 * @param name the class or package; {@code ROOT} for all
 * @param level what was set for it; empty if nothing was
 * @param effectiveLevel what holds: its own, or that of the package above
 */
public record LoggerLine(String name, String level, String effectiveLevel) {}
