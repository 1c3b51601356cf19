package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Makes a buffer that nobody released a failure of the test that finds it. */
final class Leaks {
    private static final Queue<String> FOUND = new ConcurrentLinkedQueue<>();

    static {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new Factory());
    }

    private Leaks() {}

    /** To be called before the first buffer is made. */
    static void watch() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    /** Fails if a buffer was collected that had not been released. */
    static void assertNone() {
        for (int i = 0; i < 2; i++) {
            System.gc();
            // The detector reports when the next buffer is made.
            PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
        }
        List<String> found = List.copyOf(FOUND);
        FOUND.clear();
        assertThat(found).isEmpty();
    }

    private static final class Factory extends ResourceLeakDetectorFactory {
        @Override
        @SuppressWarnings("deprecation") // the only way to hear of leaks
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                Class<T> resource, int samplingInterval, long maxActive) {
            return new Recorder<>(resource, samplingInterval);
        }
    }

    private static final class Recorder<T> extends ResourceLeakDetector<T> {
        @SuppressWarnings("deprecation") // the only way to hear of leaks
        Recorder(Class<T> resource, int samplingInterval) {
            super(resource, samplingInterval);
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
}
