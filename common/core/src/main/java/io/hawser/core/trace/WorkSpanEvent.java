package io.hawser.core.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A flight recorder event for a span of work on one thread that no event of the JDK shows.
 *
 * <p>Thread: one.
 */
@Name(WorkSpanEvent.NAME)
@Label("Work Span")
@Category("Hawser")
@Description("A span of work")
@Enabled(false)
@StackTrace(false)
public final class WorkSpanEvent extends Event {
    public static final String NAME = "hawser.WorkSpan";

    /** A task of the digest threads: almost always the SHA-256 of a fragment. */
    public static final String DIGEST = "digest";

    /** Records applied to the broker's index, and its commits. */
    public static final String INDEX = "index";

    /** A transaction of the journal in Kafka. */
    public static final String JOURNAL = "journal";

    /** A file renamed. */
    public static final String RENAME = "rename";

    @Label("What")
    final String what;

    private WorkSpanEvent(String what) {
        this.what = what;
    }

    /** Starts a span now. */
    public static WorkSpanEvent begun(String what) {
        WorkSpanEvent span = new WorkSpanEvent(what);
        span.begin();
        return span;
    }

    /** Ends the span now. */
    public void done() {
        commit();
    }
}
