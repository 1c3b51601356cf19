package io.hawser.ptcp.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;

/** Makes a buffer that nobody released a failure of the test that finds it. */
public final class Leaks {
    private Leaks() {}

    /** To be called before the first buffer is made, or in a JVM that was started with {@link LeakRecorder}. */
    public static void watch() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new Factory());
    }

    /** Fails if a buffer was collected that had not been released. */
    public static void assertNone() {
        for (int i = 0; i < 2; i++) {
            System.gc();
            // The detector reports when the next buffer is made.
            PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
        }
        assertThat(LeakRecorder.take()).isEmpty();
    }

    private static final class Factory extends ResourceLeakDetectorFactory {
        @Override
        @SuppressWarnings("deprecation") // the only way to hear of leaks
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                Class<T> resource, int samplingInterval, long maxActive) {
            return new LeakRecorder<>(resource, samplingInterval);
        }
    }
}
