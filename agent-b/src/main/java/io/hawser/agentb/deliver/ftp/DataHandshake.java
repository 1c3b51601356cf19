package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.gsi.AuthenticationException;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Secures a data connection on a thread of its own, since some servers answer a command only when that is done, and others refuse it
 * without.
 *
 * <p>Thread: one.
 */
final class DataHandshake {
    private final Socket plain;
    private final FutureTask<Socket> secured;

    private DataHandshake(Socket plain, FutureTask<Socket> secured) {
        this.plain = plain;
        this.secured = secured;
    }

    /** Begins with a connection that was dialled here; where nothing has to be said early it is over with this call. */
    static DataHandshake begin(LoginSecurity security, Socket plain) {
        FutureTask<Socket> task = new FutureTask<>(() -> {
            try {
                return security.data(plain);
            } catch (AuthenticationException e) {
                plain.close(); // the far end is to know
                throw e;
            }
        });
        if (security.isEarly()) {
            Thread thread = new Thread(task, "hawser-far-shake");
            thread.setDaemon(true);
            thread.start();
        } else {
            task.run();
        }
        return new DataHandshake(plain, task);
    }

    /** The connection as the data may go over it. */
    Socket await() throws IOException {
        try {
            return secured.get();
        } catch (ExecutionException e) {
            plain.close();
            throw e.getCause() instanceof IOException known
                    ? known
                    : new IOException("securing a data connection failed unforeseen: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            plain.close();
            throw new IOException("interrupted", e);
        }
    }

    /** What the server's refusal is for, if this end has refused it; otherwise the server's own words. */
    IOException reason(FarRefusedException words) {
        if (!secured.isDone()) {
            return words;
        }
        try {
            Socket unused = secured.get();
            return words;
        } catch (ExecutionException e) {
            return e.getCause() instanceof AuthenticationException own ? own : words;
        } catch (InterruptedException | CancellationException e) {
            Thread.currentThread().interrupt();
            return words;
        }
    }
}
