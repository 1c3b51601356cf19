package io.hawser.ops.cli;

/** How a node writes its log. */
public enum LogFormat {
    /** A line for people. */
    TEXT,
    /** A JSON object a line, for programs that collect logs. */
    JSON
}
