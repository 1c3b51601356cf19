package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.core.collection.EvictingMap;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.gsi.credential.Credential;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs in as the user who uploaded each object, with a credential that the user delegated, and with no other. Of the credentials of one user that
 * came from one agent-a the one that is valid longest serves all that user's objects: so a delivery that waits because its credential has expired
 * resumes when the user uploads again. Credentials are in memory only; after a restart each transfer brings its own again.
 *
 * <p>Thread: any.
 */
final class UserLogins implements DeliveryLoginSelector {
    private static final Logger LOG = LoggerFactory.getLogger(UserLogins.class);
    private static final int MAX_USERS = 1_000;
    private static final int MAX_PROBLEMS_SHOWN = 3;
    private static final long CLOSE_STALE_SECONDS = 10;

    private final FarServer server;
    private final FarOptions options;
    private final FarGsi gsi;
    private final DeliverySessions own;
    /** Deliveries of an evicted user that are running continue. */
    private final Map<UserKey, User> users =
            EvictingMap.leastRecentlyUsed(MAX_USERS, (key, user) -> user.sessions.close());

    private final ScheduledThreadPoolExecutor timer;
    private boolean closed;

    /** A user of one agent-a; another agent-a cannot replace that user's credential. */
    private record UserKey(NodeId publisher, String identity) {}

    private final class User {
        private final DeliverySessions sessions;
        private volatile Credential freshest;

        private User(Credential first) {
            this.freshest = first;
            this.sessions = new DeliverySessions(server, options, () -> gsi.login(freshest));
        }
    }

    UserLogins(FarServer server, FarOptions options, FarGsi gsi) {
        this.server = server;
        this.options = options;
        this.gsi = gsi;
        this.own = new DeliverySessions(server, options, gsi);
        this.timer = DaemonThreads.timer("hawser-far-tidy");
        var unused = timer.scheduleWithFixedDelay(
                this::closeStale, CLOSE_STALE_SECONDS, CLOSE_STALE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public DeliverySessions sessionsFor(Manifest manifest) throws IOException {
        User user = user(manifest, gsi.carriedBy(manifest));
        Credential credential = user.freshest;
        if (FarGsi.hasExpired(credential)) {
            throw new IOException("the credential that " + credential.identity() + " delegated has expired at "
                    + credential.notAfter() + "; delivery resumes when that user uploads with a fresh one");
        }
        return user.sessions;
    }

    @Override
    public void announced(Manifest manifest) {
        try {
            Credential credential = gsi.carriedBy(manifest);
            if (!FarGsi.hasExpired(credential)) {
                User unused = user(manifest, credential);
            }
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("a credential cannot be used yet; it is validated again at the delivery");
        }
    }

    private synchronized User user(Manifest manifest, Credential credential) throws IOException {
        if (closed) {
            throw new IOException("the node is stopping");
        }
        UserKey key =
                new UserKey(manifest.key().publisher(), credential.identity().toString());
        User known = users.get(key);
        if (known == null) {
            known = new User(credential);
            users.put(key, known);
        } else if (credential.notAfter().isAfter(known.freshest.notAfter())) {
            known.freshest = credential;
        } else {
            return known;
        }
        LOG.atInfo()
                .addKeyValue("identity", credential.identity())
                .addKeyValue("until", credential.notAfter())
                .log("received a user's credential");
        return known;
    }

    private synchronized List<User> all() {
        return new ArrayList<>(users.values());
    }

    private void closeStale() {
        all().forEach(user -> user.sessions.closeStale());
    }

    @Override
    public DeliverySessions own() {
        return own;
    }

    @Override
    public boolean areUsers() {
        return true;
    }

    @Override
    public Optional<String> credentials() {
        List<User> known = all();
        @Nullable
        Credential first = known.stream()
                .map(user -> user.freshest)
                .min(Comparator.comparing(Credential::notAfter))
                .orElse(null);
        return first == null
                ? Optional.empty()
                : Optional.of(known.size() + (known.size() == 1 ? " user" : " users")
                        + "; the first to expire is that of " + first.identity() + " at " + first.notAfter());
    }

    @Override
    public String problem() {
        List<String> problems = all().stream()
                .map(user -> user.sessions.problem())
                .filter(problem -> !problem.isEmpty())
                .limit(MAX_PROBLEMS_SHOWN)
                .toList();
        return String.join("; ", problems);
    }

    @Override
    public void abandon() {
        synchronized (this) {
            closed = true;
        }
        timer.shutdownNow();
        own.abandon();
        all().forEach(user -> user.sessions.abandon());
    }

    @Override
    public void close() {
        timer.shutdownNow();
        own.close();
        all().forEach(user -> user.sessions.close());
    }
}
