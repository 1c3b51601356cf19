package io.hawser.ptcp;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import io.netty.util.internal.logging.Slf4JLoggerFactory;

/**
 * Has Netty log through SLF4J. By itself Netty does so only when SLF4J has a provider, and otherwise writes to standard error through {@code
 * java.util.logging}.
 */
final class NettyLogging {
    private NettyLogging() {}

    /** Replaces Netty's fallback, and no other factory that the program chose. Called before other classes of Netty are used. */
    static void useSlf4j() {
        if (InternalLoggerFactory.getDefaultFactory() instanceof JdkLoggerFactory) {
            InternalLoggerFactory.setDefaultFactory(Slf4JLoggerFactory.INSTANCE);
        }
    }
}
