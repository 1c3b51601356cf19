package io.hawser.agenta.sftp.ssh;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.LoginCounts.Outcome;
import io.hawser.agenta.front.ClientServices;
import io.hawser.ops.audit.Audit;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.security.PublicKey;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.session.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides who may log in, by password or by key. Wrong passwords count by address, over all
 * fronts; a key that is not known is no guess.
 *
 * <p>Thread: the methods any but the loop; answers take the processor for a while, which the loop has not got, and come on other threads.
 */
final class SshLogins {
    private static final Logger LOG = LoggerFactory.getLogger(SshLogins.class);
    private static final String PROTOCOL = "sftp";
    private static final int MAX_DOUBLINGS = 6;
    private static final int ACCOUNT_SECONDS = 10;
    private static final AttributeKey<Integer> FAILURES = new AttributeKey<>();

    private final ClientServices clients;
    private final SshConnections connections;
    private final SshLimits limits;
    private final EventLoop loop;
    private final Executor answers;
    private final @Nullable AuthorizedKeys keys;

    SshLogins(
            ClientServices clients,
            SshConnections connections,
            SshLimits limits,
            EventLoop loop,
            Executor answers,
            @Nullable AuthorizedKeys keys) {
        this.clients = clients;
        this.connections = connections;
        this.limits = limits;
        this.loop = loop;
        this.answers = answers;
        this.keys = keys;
    }

    private static InetSocketAddress peer(Session session) {
        return (InetSocketAddress) session.getRemoteAddress();
    }

    /** Logs {@code user} in if that is its password; {@code decided} hears whether, after a while if not. */
    void password(String user, String password, Session session, Consumer<Boolean> decided) {
        loop.execute(() -> {
            if (clients.guard().isBarred(peer(session).getAddress(), System.nanoTime())) {
                clients.counts().ended(PROTOCOL, Outcome.BARRED);
                refuse(session, user, "Too many wrong passwords came from this address", decided);
                return;
            }
            clients.checks()
                    .check(
                            user,
                            password,
                            account -> answers.execute(() -> passwordChecked(user, session, account, decided)),
                            why -> {
                                clients.counts().ended(PROTOCOL, Outcome.BUSY);
                                refuse(session, user, why, decided);
                            });
        });
    }

    private void passwordChecked(String user, Session session, Optional<Account> account, Consumer<Boolean> decided) {
        if (account.isPresent()) {
            decided.accept(isLoggedIn(session, user, account.get(), "password"));
            return;
        }
        loop.execute(() -> {
            clients.guard().failed(peer(session).getAddress(), System.nanoTime());
            clients.counts().ended(PROTOCOL, Outcome.REFUSED);
            LOG.atWarn()
                    .addKeyValue("peer", peer(session))
                    .addKeyValue("user", user)
                    .log("login refused");
            refuse(session, user, "Wrong user or password", decided);
        });
    }

    private void refuse(Session session, String user, String why, Consumer<Boolean> decided) {
        clients.audit().note(user, "login", "-", peer(session), why);
        Integer before = session.getAttribute(FAILURES);
        int failures = before == null ? 1 : before + 1;
        session.setAttribute(FAILURES, failures);
        long delay = limits.failureDelay().toMillis() << Math.min(failures - 1, MAX_DOUBLINGS);
        var unused = loop.schedule(
                () -> answers.execute(() -> answerRefusal(session, failures, decided)), delay, TimeUnit.MILLISECONDS);
    }

    private void answerRefusal(Session session, int failures, Consumer<Boolean> decided) {
        if (failures < limits.maxFailures()) {
            decided.accept(false);
            return;
        }
        try {
            session.disconnect(SshConstants.SSH2_DISCONNECT_NO_MORE_AUTH_METHODS_AVAILABLE, "Too many wrong passwords");
        } catch (Exception e) { // it is gone
            session.close(true);
        }
    }

    /** The account {@code user} if {@code key} opens it. Waits for what the login thread says of the account. */
    Optional<Account> accountOfKey(String user, PublicKey key) {
        boolean isKnown = keys != null && keys.of(user).stream().anyMatch(each -> KeyUtils.compareKeys(each, key));
        if (!isKnown) {
            return Optional.empty();
        }
        CompletableFuture<Optional<Account>> found = new CompletableFuture<>();
        loop.execute(() -> clients.checks()
                .mapped(() -> Optional.of(user), found::complete, why -> found.complete(Optional.empty())));
        try {
            return found.get(ACCOUNT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.atWarn()
                    .addKeyValue("user", user)
                    .setCause(e)
                    .log("login by key refused: its account was not looked at");
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** {@code user} has proved that it is {@code account}. False if too many are logged in to that. */
    boolean isLoggedIn(Session session, String user, Account account, String how) {
        boolean accepted = connections.logIn(session, account);
        loop.execute(() -> {
            clients.counts().ended(PROTOCOL, accepted ? Outcome.OK : Outcome.BUSY);
            clients.audit()
                    .note(
                            user,
                            "login",
                            "-",
                            peer(session),
                            accepted ? Audit.OK : "Too many connections of this account");
        });
        LOG.atInfo()
                .addKeyValue("peer", peer(session))
                .addKeyValue("account", account.name())
                .addKeyValue("by", how)
                .log(accepted ? "logged in" : "login refused: too many connections of the account");
        return accepted;
    }
}
