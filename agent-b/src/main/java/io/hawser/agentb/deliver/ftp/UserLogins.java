package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.gsi.credential.Credential;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Each object is delivered as the user who uploaded it, with a credential that he has delegated, and by no other login. Of several
 * credentials of one user that came from one near edge the one that holds longest counts, also for what came with an older one: so what
 * waits because its credential has run out goes on as soon as that user comes back. They are kept in memory only; each transfer brings
 * its own again after a restart.
 *
 * <p>Thread: any.
 */
final class UserLogins implements FarLogins {
    private static final Logger LOG = LoggerFactory.getLogger(UserLogins.class);
    private static final int MAX_USERS = 1_000;
    private static final int MAX_PROBLEMS_SHOWN = 3;
    private static final long TIDY_SECONDS = 10;

    private final FarServer server;
    private final FarOptions options;
    private final FarGsi gsi;
    private final DeliverySessions own;
    private final Map<Who, User> users = new LinkedHashMap<>(16, 0.75f, true);
    private final ScheduledThreadPoolExecutor timer;
    private boolean closed;

    /** A user, as one near edge knows him: another one has no say in it. */
    private record Who(NodeId publisher, String identity) {}

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
        this.timer = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("hawser-far-tidy"));
        var unused = timer.scheduleWithFixedDelay(this::tidy, TIDY_SECONDS, TIDY_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public DeliverySessions of(Manifest manifest) throws IOException {
        User user = user(manifest, gsi.cameWith(manifest));
        Credential credential = user.freshest;
        if (FarGsi.hasExpired(credential)) {
            throw new IOException("the credential that " + credential.identity() + " delegated has expired at "
                    + credential.notAfter() + "; it goes on when that user comes with a fresh one");
        }
        return user.sessions;
    }

    @Override
    public void announced(Manifest manifest) {
        try {
            Credential credential = gsi.cameWith(manifest);
            if (!FarGsi.hasExpired(credential)) {
                User unused = user(manifest, credential);
            }
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("what came along is looked at again when it is needed");
        }
    }

    private synchronized User user(Manifest manifest, Credential credential) throws IOException {
        if (closed) {
            throw new IOException("the node is stopping");
        }
        Who who = new Who(manifest.key().publisher(), credential.identity().toString());
        User known = users.get(who);
        if (known == null) {
            makePlace();
            known = new User(credential);
            users.put(who, known);
        } else if (credential.notAfter().isAfter(known.freshest.notAfter())) {
            known.freshest = credential;
        } else {
            return known;
        }
        LOG.atInfo()
                .addKeyValue("identity", credential.identity())
                .addKeyValue("until", credential.notAfter())
                .log("a user's credential came along");
        return known;
    }

    /** The one who was not heard of for the longest; what is under way for him goes on. */
    private void makePlace() {
        if (users.size() >= MAX_USERS) {
            Who eldest = users.keySet().iterator().next();
            User gone = users.remove(eldest);
            if (gone != null) {
                gone.sessions.close();
            }
        }
    }

    private synchronized List<User> all() {
        return new ArrayList<>(users.values());
    }

    private void tidy() {
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
    public Optional<String> shown() {
        List<User> known = all();
        @Nullable
        Credential first = known.stream()
                .map(user -> user.freshest)
                .min(Comparator.comparing(Credential::notAfter))
                .orElse(null);
        return first == null
                ? Optional.empty()
                : Optional.of(known.size() + (known.size() == 1 ? " user" : " users")
                        + "; the first to run out is that of " + first.identity() + " at " + first.notAfter());
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
