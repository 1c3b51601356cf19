package io.hawser.agenta.testkit;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.custody.CustodyRules;
import io.hawser.agenta.ftp.FtpServerConfig;
import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.agenta.ftp.data.DataRules;
import io.hawser.agenta.ftp.login.FtpTls;
import io.hawser.agenta.ftp.session.SessionPolicy;
import io.hawser.agenta.gsi.GsiFiles;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.Topic;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings of an FTP server, which a test changes one by one. */
public record FtpSettings(FtpServerConfig config) {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** Anonymous FTP at a free port, with each topic as a directory. */
    public static FtpSettings anonymous() {
        return new FtpSettings(FtpServerConfig.anonymous(ANY_PORT));
    }

    /** {@code old} with other values: a component's name, its value, and so on. */
    private static <R extends Record> R with(R old, @Nullable Object... changes) {
        RecordComponent[] components = old.getClass().getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        @Nullable Object[] values = new @Nullable Object[components.length];
        try {
            int found = 0;
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                values[i] = components[i].getAccessor().invoke(old);
                for (int j = 0; j < changes.length; j += 2) {
                    if (components[i].getName().equals(changes[j])) {
                        values[i] = changes[j + 1];
                        found++;
                    }
                }
            }
            if (2 * found != changes.length) {
                throw new AssertionError(old + " has no such component");
            }
            @SuppressWarnings("unchecked") // it is the class of old
            R changed = (R) old.getClass().getConstructor(types).newInstance(values);
            return changed;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new AssertionError(e);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(String.valueOf(e.getMessage()), e);
        }
    }

    private FtpSettings server(@Nullable Object... changes) {
        return new FtpSettings(with(config, changes));
    }

    private FtpSettings names(@Nullable Object... changes) {
        return server("names", with(config.names(), changes));
    }

    private FtpSettings sessions(@Nullable Object... changes) {
        return server("sessions", with(sessions(), changes));
    }

    private FtpSettings limits(Object... changes) {
        return sessions("limits", with(limits(), changes));
    }

    private FtpSettings login(Object... changes) {
        return limits("login", with(limits().login(), changes));
    }

    private FtpSettings times(Object... changes) {
        return limits("times", with(limits().times(), changes));
    }

    public InetSocketAddress listen() {
        return config.listen();
    }

    public SessionPolicy sessions() {
        return config.sessions();
    }

    public FtpLimits limits() {
        return sessions().limits();
    }

    public FtpSettings withListen(InetSocketAddress address) {
        return server("listen", address);
    }

    public FtpSettings withGridftp(InetSocketAddress address) {
        return server("gridftp", address);
    }

    /** The same with GridFTP at a free port. */
    public FtpSettings withGridftp() {
        return withGridftp(ANY_PORT);
    }

    /** The same with GridFTP at a free port, where logins are by GSI. */
    public FtpSettings withGsi(GsiFiles gsi) {
        return sessions("gsi", gsi).withGridftp();
    }

    public FtpSettings withRoot(Topic topic) {
        return names("root", topic);
    }

    /** The same with listings that may be incomplete, or without. */
    public FtpSettings withPartialListings(boolean allowed) {
        return names("partialListings", allowed);
    }

    /** The same with another time for a far end that is there. */
    public FtpSettings withFarLookTime(Duration time) {
        return names("farLookTime", time);
    }

    public FtpSettings withData(DataRules data) {
        return sessions("data", data);
    }

    public FtpSettings withAccounts(Accounts accounts) {
        return sessions("accounts", accounts);
    }

    /** The same where each name with any password is an account that may do everything. */
    public FtpSettings withAnyAccount() {
        return withAccounts(Accounts.of((name, password) -> Optional.of(Account.unlimited(name))));
    }

    /** The same where besides anonymous each name is an account that may only upload. */
    public FtpSettings withUploaders() {
        return withAccounts(Accounts.anonymous()
                .and(Accounts.of((name, password) ->
                        Optional.of(new Account(name, FtpPath.ROOT, Set.of(Permission.WRITE), null)))));
    }

    /** The same over TLS too. */
    public FtpSettings withTls(FtpTls tls) {
        return sessions("tls", tls);
    }

    public FtpSettings withCustody(CustodyRules custody) {
        return sessions("custody", custody);
    }

    /** The same with other numbers of sessions: of all, from one address, of one account. */
    public FtpSettings withConnections(int all, int ofPeer, int ofAccount) {
        return limits("sessions", with(limits().sessions(), "max", all, "ofPeer", ofPeer, "ofAccount", ofAccount));
    }

    /** The same with another time and delay for logins. */
    public FtpSettings withLogin(Duration time, Duration delay) {
        return login("time", time, "failureDelay", delay);
    }

    /** The same with another number of wrong passwords from one address, and what follows them. */
    public FtpSettings withBar(int failures, Duration time) {
        return login("maxFailuresOfAddress", failures, "barTime", time);
    }

    public FtpSettings withIdleTime(Duration time) {
        return times("idle", time);
    }

    /** The same, waiting that long for data connections and for data on them. */
    public FtpSettings withDataTime(Duration time) {
        return times("dataConnect", time, "passiveUnused", time, "dataStall", time);
    }

    /** The same with another time for data connections over which nothing comes or goes. */
    public FtpSettings withStallTime(Duration time) {
        return times("dataStall", time);
    }

    public FtpSettings withEvidenceWindow(Duration time) {
        return times("evidenceWindow", time);
    }

    /** The same with another time to wait for a custody level. */
    public FtpSettings withCustodyTime(Duration time) {
        return times("custody", time);
    }
}
