package io.hawser.ptcp.testkit;

import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Netty's leak detector, which keeps what it finds. A JVM uses it from its first buffer on when it is started with {@code
 * -Dio.netty.customResourceLeakDetector} and the name of this class; see {@link Leaks} for one that was not.
 */
public final class LeakRecorder<T> extends ResourceLeakDetector<T> {
    private static final Queue<String> FOUND = new ConcurrentLinkedQueue<>();

    /** Netty calls this one. */
    @SuppressWarnings("deprecation") // the only way to hear of leaks
    public LeakRecorder(Class<T> resource, int samplingInterval) {
        super(resource, samplingInterval);
    }

    /** Or, in older ways of starting it, this one. */
    public LeakRecorder(Class<T> resource, int samplingInterval, long maxActive) {
        this(resource, samplingInterval);
    }

    /** What was found since the last call. */
    static List<String> take() {
        List<String> found = List.copyOf(FOUND);
        FOUND.clear();
        return found;
    }

    @Override
    protected void reportTracedLeak(String resourceType, String records) {
        FOUND.add(resourceType + records);
    }

    @Override
    protected void reportUntracedLeak(String resourceType) {
        FOUND.add(resourceType);
    }
}
