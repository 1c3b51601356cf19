package io.hawser.ops.cli;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.audit.ThrottledAudit;
import io.hawser.ops.observe.AdminToken;
import io.hawser.ops.observe.AuditLog;
import io.hawser.ops.observe.SupervisionSettings;
import java.nio.file.Path;
import java.time.Duration;
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

    private CommonNodeFlags() {}

    /** @param admin where this node's admin pages are */
    public static FlagGroup oversightGroup(ConfigKey<?> admin) {
        return FlagGroup.of("Admin pages, health and audit", admin, ADMIN_TOKEN, AUDIT, WARN_AFTER);
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
                config.get(WARN_AFTER));
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
