package io.hawser.broker;

import com.sun.management.OperatingSystemMXBean;
import io.hawser.core.config.ByteSize;
import io.hawser.core.config.ConfigException;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * Decides how much memory holds recent fragments for subscriptions that lag slightly, so that they are not read from the disk again.
 *
 * <p>Thread: main only.
 */
record RecentFragmentSizing(long directBytes, long machineBytes) {
    private static final long MOST_BYTES = 256L << 20;
    /** Of the machine's or the container's memory. */
    private static final int MOST_PART = 16;
    /** Of the JVM's direct memory, what the node itself needs. */
    private static final long NODE_BYTES = 96L << 20;

    /** What this JVM may take. */
    static RecentFragmentSizing ofThisJvm() {
        return new RecentFragmentSizing(
                PlatformDependent.maxDirectMemory(),
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
    }

    /**
     * How many buffers of {@code bufferBytes} that is.
     *
     * @param asked what was asked for; if nothing was, as much as does no harm
     * @throws ConfigException if the JVM may not take as much as was asked for
     */
    int buffers(Optional<ByteSize> asked, long bufferBytes) {
        long possible = Math.max(0, directBytes - NODE_BYTES);
        long wanted = asked.map(ByteSize::bytes).orElse(Math.min(MOST_BYTES, machineBytes / MOST_PART));
        if (asked.isPresent() && wanted > possible) {
            throw new ConfigException("--loan " + asked.get() + ": -XX:MaxDirectMemorySize leaves "
                    + new ByteSize(possible) + "; the node itself needs " + new ByteSize(NODE_BYTES)
                    + ". HAWSER_JAVA_OPTS sets it");
        }
        return (int) Math.min(Integer.MAX_VALUE, Math.min(wanted, possible) / bufferBytes);
    }
}
