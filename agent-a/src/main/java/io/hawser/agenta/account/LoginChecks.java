package io.hawser.agenta.account;

import io.hawser.core.thread.DaemonThreads;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks passwords, which is slow by design, on a thread of its own, one after the other: a client that guesses takes no more than this
 * one thread.
 *
 * <p>Thread: {@link #check} the loop; {@link #close} any.
 */
public final class LoginChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoginChecks.class);
    /** More checks than the slow hash does in the time that clients wait are not made. */
    private static final int MAX_WAITING = 64;

    private final Accounts accounts;
    private final Executor loop;
    private final ThreadPoolExecutor thread;

    /** Of {@code accounts}; callbacks run on {@code loop}. */
    public LoginChecks(Accounts accounts, Executor loop) {
        this.accounts = accounts;
        this.loop = loop;
        this.thread = DaemonThreads.pool(DaemonThreads.named("hawser-login"), 1, new ArrayBlockingQueue<>(MAX_WAITING));
    }

    /**
     * Calls back on the loop with the account that name and password open; at once if no password has to be checked.
     *
     * @param unchecked gets instead why it is not known whether they open one: at once if so many wait already that this one is not checked,
     *     later if the check failed
     */
    public void check(String name, String password, Consumer<Optional<Account>> checked, Consumer<String> unchecked) {
        Optional<Account> open = accounts.withoutPassword(name);
        if (open.isPresent() || !accounts.havePasswords()) {
            checked.accept(open);
            return;
        }
        run(() -> accounts.authenticate(name, password), checked, unchecked);
    }

    /**
     * Calls back on the loop with the account of a client that was authenticated otherwise.
     *
     * @param name finds the account's name, if there is one; it may touch the disk
     * @param unchecked see {@link #check}
     */
    public void mapped(
            Callable<Optional<String>> name, Consumer<Optional<Account>> checked, Consumer<String> unchecked) {
        run(() -> name.call().flatMap(accounts::named), checked, unchecked);
    }

    private void run(
            Callable<Optional<Account>> check, Consumer<Optional<Account>> checked, Consumer<String> unchecked) {
        try {
            thread.execute(() -> {
                Runnable answer = answer(check, checked, unchecked);
                loop.execute(answer);
            });
        } catch (RejectedExecutionException e) {
            LOG.atWarn().log("too many logins at a time");
            unchecked.accept("Too many logins at a time");
        }
    }

    private static Runnable answer(
            Callable<Optional<Account>> check, Consumer<Optional<Account>> checked, Consumer<String> unchecked) {
        try {
            Optional<Account> account = check.call();
            return () -> checked.accept(account);
        } catch (Throwable e) { // also errors: the client waits for the answer
            LOG.atError().setCause(e).log("a login could not be checked");
            return () -> unchecked.accept("The login could not be checked");
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
