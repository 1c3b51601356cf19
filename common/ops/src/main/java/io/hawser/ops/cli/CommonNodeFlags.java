package io.hawser.ops.cli;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.PrivateFiles;
import io.hawser.core.tls.Role;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.audit.ThrottledAudit;
import io.hawser.ops.event.EventReceivers;
import io.hawser.ops.observe.AdminToken;
import io.hawser.ops.observe.AuditLog;
import io.hawser.ops.observe.EventSettings;
import io.hawser.ops.observe.SupervisionSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The keys that every node has, and the rule that goes with them: PTCP and the admin pages listen beyond loopback only
 * with TLS, or with {@code --insecure}, which says so.
 *
 * <p>Thread: any.
 */
public final class CommonNodeFlags {
    public static final ConfigKey<Path> TLS =
            ConfigKey.path("tls", "DIR", null, "mutual TLS with the keys that 'hawser keys init DIR' made");
    public static final ConfigKey<Boolean> INSECURE = ConfigKey.toggle(
            "insecure", "listen beyond loopback without TLS: anybody who can connect may read and write");

    public static final ConfigKey<Duration> SESSION_SILENCE = ConfigKey.duration(
            "session-silence",
            "20s",
            "500ms",
            "1h",
            "a session ends when its peer was silent for this long, and its hops resume in the next one; the smaller value"
                    + " of the two ends holds");

    public static final ConfigKey<Path> ADMIN_TOKEN = ConfigKey.path(
            "admin-token-file",
            "FILE",
            null,
            "secret in the first line of FILE that opens the admin pages from other machines: 'Authorization: Bearer SECRET'."
                    + " Callers without a certificate of the CA need it");
    public static final ConfigKey<Path> AUDIT = ConfigKey.path(
            "audit",
            "FILE",
            null,
            "who did what, from where, and what came of it: one JSON line each; rotated daily and at 64 MiB");

    public static final ConfigKey<Duration> WARN_AFTER = ConfigKey.duration(
            "warn-after",
            "10m",
            "1s",
            "30d",
            "an accepted transfer that has not moved for so long is a warning on /health, with its reason and what to do");

    public static final ConfigKey<Duration> KEEP_HISTORY = ConfigKey.duration(
            "keep-history",
            "30d",
            "1m",
            "3650d",
            "how long finished transfers and events are kept for 'hawser history'");
    public static final ConfigKey<Integer> KEEP_HISTORY_ROWS = ConfigKey.integer(
            "keep-history-rows", 1_000_000, 1, 100_000_000, "how many finished transfers are kept, at most");
    public static final ConfigKey<ByteSize> EVENTS_QUOTA = ConfigKey.size(
            "events-quota",
            "1GiB",
            new ByteSize(32L << 20),
            new ByteSize(64L << 40),
            "how much disk the events may take, besides other quotas");

    public static final ConfigKey<URI> WEBHOOK = new ConfigKey<>(
            "webhook",
            "URL",
            null,
            "",
            "send each event there by POST, as CloudEvents 1.0; what fails is tried again, also after a restart",
            URI::create);
    public static final ConfigKey<Path> WEBHOOK_SECRET = ConfigKey.path(
            "webhook-secret-file",
            "FILE",
            null,
            "signs what goes to --webhook as Standard Webhooks says: the first line of FILE is whsec_ and base64 of 24 to 64 bytes");
    public static final ConfigKey<Duration> WEBHOOK_GIVE_UP = ConfigKey.duration(
            "webhook-give-up",
            "3d",
            "1s",
            "365d",
            "give --webhook up when nothing has reached it for so long: a warning on /health until the next start");
    public static final ConfigKey<String> ON = ConfigKey.text(
            "on",
            "EVENT,...=COMMAND",
            null,
            "run COMMAND for such events, with the event's word, topic and name as arguments and JSON on standard input; several"
                    + " with semicolons; 'all' is every event");
    public static final ConfigKey<Duration> ON_LIMIT =
            ConfigKey.duration("on-limit", "1m", "1s", "1d", "how long a command of --on may take");
    public static final ConfigKey<EventSettings.Topic> EVENTS_KAFKA = new ConfigKey<>(
            "events-kafka",
            "HOST:PORT[,…]/TOPIC",
            null,
            "",
            "write each event to that topic of Kafka, which has to be there, as CloudEvents 1.0; what fails is tried again as long"
                    + " as events are kept",
            EventSettings.Topic::parse);
    public static final ConfigKey<Path> EVENTS_KAFKA_PROPERTIES = ConfigKey.path(
            "events-kafka-properties",
            "FILE",
            null,
            "properties for the client of --events-kafka, such as security.protocol and SASL or TLS");
    public static final ConfigKey<LogFormat> LOG_FORMAT = ConfigKey.choice(
            "log-format", LogFormat.TEXT, "the log on standard error: lines for people, or a JSON object a line");

    private CommonNodeFlags() {}

    /** @param admin where this node's admin pages are */
    public static FlagGroup oversightGroup(ConfigKey<?> admin) {
        return FlagGroup.of("Admin pages, health, audit and log", admin, ADMIN_TOKEN, AUDIT, WARN_AFTER, LOG_FORMAT);
    }

    private static EventSettings.Receivers receivers(Config config) {
        config.requirePartner(WEBHOOK, WEBHOOK_SECRET, WEBHOOK_GIVE_UP);
        config.requirePartner(ON, ON_LIMIT);
        config.requirePartner(EVENTS_KAFKA, EVENTS_KAFKA_PROPERTIES);
        Optional<Path> properties = config.find(EVENTS_KAFKA_PROPERTIES);
        EventSettings.Receivers receivers = new EventSettings.Receivers(
                config.find(WEBHOOK).orElse(null),
                config.find(WEBHOOK_SECRET)
                        .map(file -> PrivateFiles.firstLine(WEBHOOK_SECRET.flag(), file))
                        .orElse(""),
                config.get(WEBHOOK_GIVE_UP),
                config.find(ON).map(rules -> List.of(rules.split(";"))).orElse(List.of()),
                config.get(ON_LIMIT),
                config.find(EVENTS_KAFKA)
                        .map(topic -> properties.map(topic::with).orElse(topic))
                        .orElse(null));
        EventReceivers.check(receivers);
        return receivers;
    }

    /** The flags of events and history. */
    public static FlagGroup historyGroup() {
        return FlagGroup.of(
                "Events and history",
                KEEP_HISTORY,
                KEEP_HISTORY_ROWS,
                EVENTS_QUOTA,
                WEBHOOK,
                WEBHOOK_SECRET,
                WEBHOOK_GIVE_UP,
                ON,
                ON_LIMIT,
                EVENTS_KAFKA,
                EVENTS_KAFKA_PROPERTIES);
    }

    /** The flags of TLS between nodes. */
    public static FlagGroup tlsGroup() {
        return FlagGroup.of("TLS between nodes", TLS, INSECURE);
    }

    /** The token of the admin pages, the audit log, and when it warns. */
    public static SupervisionSettings supervision(Config config, String node) {
        return new SupervisionSettings(
                config.find(ADMIN_TOKEN).map(AdminToken::open).orElse(null),
                config.find(AUDIT)
                        .<Audit>map(file -> new ThrottledAudit(AuditLog.open(file, node), System::currentTimeMillis))
                        .orElse(Audit.NONE),
                config.get(WARN_AFTER),
                new EventSettings(
                        config.get(KEEP_HISTORY),
                        config.get(KEEP_HISTORY_ROWS),
                        config.get(EVENTS_QUOTA).bytes(),
                        receivers(config)));
    }

    /**
     * The admin pages' address; each node has its own default.
     *
     * @param ownPages the pages that only this node has, each after a comma
     */
    public static ConfigKey<Optional<HostPort>> admin(String defaultText, String ownPages) {
        return ConfigKey.hostPortOrOff(
                "admin",
                defaultText,
                "admin pages: /health, /metrics, /transfers" + ownPages
                        + "; plain HTTP on loopback, with --tls HTTPS beyond it; port 0 takes a free one");
    }

    /**
     * The keys of {@code --tls}, to be read once for all that uses them: what one of a node's connections shows, the others show; null without the
     * flag.
     */
    public static @Nullable NodeTls tls(Config config, Role role) {
        return config.find(TLS).map(directory -> NodeTls.load(directory, role)).orElse(null);
    }

    /** Throws ConfigException if {@code address} is reachable from elsewhere with neither TLS nor {@code --insecure}. */
    public static void checkListening(Config config, ConfigKey<?> key, HostPort address) {
        if (!address.isLoopback() && config.find(TLS).isEmpty() && !config.get(INSECURE)) {
            throw new ConfigException(key.flag() + " " + address
                    + " can be reached from other machines: give --tls DIR ('hawser keys init DIR' makes the keys),"
                    + " or --insecure if you want that without TLS");
        }
    }
}
