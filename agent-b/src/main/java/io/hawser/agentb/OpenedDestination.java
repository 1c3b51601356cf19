package io.hawser.agentb;

import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.ftp.FtpTarget;
import io.hawser.core.model.RetryPolicy;
import io.hawser.store.landing.DeliveryTarget;
import io.hawser.store.landing.DirectoryTarget;
import io.hawser.store.landing.LandingOptions;
import io.hawser.store.storage.FileTimeHistory;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * An opened {@link Destination}: the delivery target, and the options of the landing area that goes with it.
 *
 * @param name for status pages and logs; without secrets
 * @param far the client of a far server, or empty for a directory
 * @param binding of a directory to the data directory
 */
record OpenedDestination(
        DeliveryTarget target,
        LandingOptions landing,
        String name,
        Optional<FtpTarget> far,
        Optional<TargetIdentityCheck> binding)
        implements AutoCloseable {
    private static final RetryPolicy FAR_RETRY = RetryPolicy.forever(Duration.ofMillis(500), Duration.ofSeconds(30));

    static Path landingDirectory(AgentBConfig config) {
        return config.delivery().into() instanceof Destination.Directory directory
                ? LandingOptions.below(directory.path(), landingName(config)).directory()
                : config.data().resolve("landing-" + landingName(config));
    }

    /** Distinct for the members of a group, which may have one target directory. */
    private static String landingName(AgentBConfig config) {
        return config.subscription().name()
                + config.subscription()
                        .terms()
                        .member()
                        .map(member -> "@" + member)
                        .orElse("");
    }

    /** Opens the destination of {@code config}; dials nothing yet. */
    static OpenedDestination open(AgentBConfig config, Storage storage, FileTimeHistory timeChanges)
            throws IOException {
        if (config.delivery().into() instanceof Destination.Far far) {
            FarServer server = far.server();
            FtpTarget target = FtpTarget.create(storage, server, far.options());
            LandingOptions options = LandingOptions.in(
                            landingDirectory(config), config.subscription().name())
                    .withHeadroom(config.delivery().headRoomBytes())
                    .withRetry(FAR_RETRY)
                    .withDeliveryDeadline(far.deadline());
            return new OpenedDestination(target, options, server.toString(), Optional.of(target), Optional.empty());
        }
        Path directory = ((Destination.Directory) config.delivery().into()).path();
        storage.createDirectories(directory);
        TargetIdentityCheck binding =
                new TargetIdentityCheck(storage, config.data(), directory, landingDirectory(config));
        if (!config.delivery().rebind()) {
            binding.check();
        }
        return new OpenedDestination(
                new DirectoryTarget(storage, directory, timeChanges),
                LandingOptions.in(
                                landingDirectory(config), config.subscription().name())
                        .withHeadroom(config.delivery().headRoomBytes()),
                directory.toString(),
                Optional.empty(),
                Optional.of(binding));
    }

    /** Begins to probe a far server. */
    void start() {
        far.ifPresent(FtpTarget::watchServer);
    }

    /** The state of users' credentials, for {@code /health}. */
    Optional<String> credentials() {
        return far.flatMap(FtpTarget::credentials);
    }

    /** Why it cannot deliver now, or an empty string. */
    String problem() {
        return far.map(FtpTarget::problem).orElse("");
    }

    @Override
    public void close() {
        far.ifPresent(FtpTarget::close);
    }
}
