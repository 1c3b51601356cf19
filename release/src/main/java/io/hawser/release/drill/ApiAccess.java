package io.hawser.release.drill;

import io.hawser.core.config.HostPort;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the drill publishes as a Java program does.
 *
 * @param tls the directory with keys, or null
 */
record ApiAccess(HostPort broker, String topic, @Nullable Path tls) {}
