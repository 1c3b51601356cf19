package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.gsi.AuthenticationException;
import io.hawser.core.thread.DaemonThreads;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Secures a data connection on a thread of its own, since some servers answer a command only after the handshake, and others refuse the command
 * during it.
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

    /** Begins with a connection that agent-b dialled. Where the handshake can wait for the reply, it is done when this returns. */
    static DataHandshake begin(LoginSecurity security, Socket plain) {
        FutureTask<Socket> task = new FutureTask<>(() -> {
            try {
                return security.secureOutgoing(plain);
            } catch (AuthenticationException e) {
                plain.close(); // tells the far end
                throw e;
            }
        });
        if (security.handshakesBeforeReply()) {
            Thread unused = DaemonThreads.start("hawser-far-handshake", task);
        } else {
            task.run();
        }
        return new DataHandshake(plain, task);
    }

    Socket await() throws IOException {
        try {
            return secured.get();
        } catch (ExecutionException e) {
            plain.close();
            throw e.getCause() instanceof IOException known
                    ? known
                    : new IOException("securing a data connection failed unexpectedly: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            plain.close();
            throw new IOException("interrupted", e);
        }
    }

    /** The cause of the server's refusal, if this end has refused the connection; otherwise that refusal. */
    IOException reason(FarRefusedException refusal) {
        if (!secured.isDone()) {
            return refusal;
        }
        try {
            Socket unused = secured.get();
            return refusal;
        } catch (ExecutionException e) {
            return e.getCause() instanceof AuthenticationException own ? own : refusal;
        } catch (InterruptedException | CancellationException e) {
            Thread.currentThread().interrupt();
            return refusal;
        }
    }
}
