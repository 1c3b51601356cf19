package io.hawser.agenta.testkit;

import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.custody.CustodyRules;
import io.hawser.agenta.ftp.FtpServerConfig;
import io.hawser.agenta.ftp.data.DataRules;
import io.hawser.agenta.ftp.login.FtpTls;
import io.hawser.agenta.ftp.session.SessionPolicy;
import io.hawser.agenta.gsi.GsiFiles;
import io.hawser.agenta.namespace.NamespaceOptions;
import io.hawser.core.model.Topic;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The settings of an FTP server, which a test changes one by one. */
public record FtpSettings(FtpServerConfig config) {
    /** Anonymous FTP, with each topic as a directory. */
    public static FtpSettings anonymous(InetSocketAddress listen) {
        return new FtpSettings(FtpServerConfig.anonymous(listen));
    }

    public InetSocketAddress listen() {
        return config.listen();
    }

    public SessionPolicy sessions() {
        return config.sessions();
    }

    private NamespaceOptions names() {
        return config.names();
    }

    public FtpSettings withListen(InetSocketAddress address) {
        return new FtpSettings(new FtpServerConfig(address, config.gridftp(), config.names(), sessions()));
    }

    public FtpSettings withGridftp(InetSocketAddress address) {
        return new FtpSettings(new FtpServerConfig(config.listen(), address, config.names(), sessions()));
    }

    private FtpSettings withNames(NamespaceOptions other) {
        return new FtpSettings(new FtpServerConfig(config.listen(), config.gridftp(), other, sessions()));
    }

    public FtpSettings withRoot(@Nullable Topic topic) {
        return withNames(new NamespaceOptions(topic, names().partialListings(), names().farLookTime()));
    }

    /** The same with listings that may be incomplete, or without. */
    public FtpSettings withPartialListings(boolean allowed) {
        return withNames(new NamespaceOptions(names().root(), allowed, names().farLookTime()));
    }

    /** The same with another time for a far end that is there. */
    public FtpSettings withFarLookTime(Duration time) {
        return withNames(new NamespaceOptions(names().root(), names().partialListings(), time));
    }

    private FtpSettings withSessions(SessionPolicy other) {
        return new FtpSettings(new FtpServerConfig(config.listen(), config.gridftp(), config.names(), other));
    }

    public LimitSettings limits() {
        return new LimitSettings(sessions().limits());
    }

    public FtpSettings withLimits(LimitSettings limits) {
        return withSessions(new SessionPolicy(
                sessions().accounts(),
                sessions().data(),
                limits.limits(),
                sessions().custody(),
                sessions().tls(),
                sessions().gsi()));
    }

    public FtpSettings withData(DataRules data) {
        return withSessions(new SessionPolicy(
                sessions().accounts(),
                data,
                sessions().limits(),
                sessions().custody(),
                sessions().tls(),
                sessions().gsi()));
    }

    public FtpSettings withAccounts(Accounts accounts) {
        return withSessions(new SessionPolicy(
                accounts,
                sessions().data(),
                sessions().limits(),
                sessions().custody(),
                sessions().tls(),
                sessions().gsi()));
    }

    /** The same over TLS too. */
    public FtpSettings withTls(@Nullable FtpTls tls) {
        return withSessions(new SessionPolicy(
                sessions().accounts(),
                sessions().data(),
                sessions().limits(),
                sessions().custody(),
                tls,
                sessions().gsi()));
    }

    /** The same with GSI at the port of GridFTP. */
    public FtpSettings withGsi(GsiFiles gsi) {
        return withSessions(new SessionPolicy(
                sessions().accounts(),
                sessions().data(),
                sessions().limits(),
                sessions().custody(),
                sessions().tls(),
                gsi));
    }

    public FtpSettings withCustody(CustodyRules custody) {
        return withSessions(new SessionPolicy(
                sessions().accounts(),
                sessions().data(),
                sessions().limits(),
                custody,
                sessions().tls(),
                sessions().gsi()));
    }
}
