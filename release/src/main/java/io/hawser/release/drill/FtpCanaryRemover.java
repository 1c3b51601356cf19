package io.hawser.release.drill;

import io.hawser.release.process.FtpAccount;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.net.ftp.FTPClient;
import org.apache.commons.net.ftp.FTPReply;
import org.jspecify.annotations.Nullable;

/**
 * Deletes canaries by FTP, on a thread of its own: while a node is down that takes as long as the node. Tries again until the far end has
 * said that the file is gone.
 *
 * <p>Thread: any.
 */
final class FtpCanaryRemover implements CanaryRemover {
    private static final long PAUSE_MILLIS = 200;

    private final FtpAccount account;
    private final BlockingQueue<String> names = new LinkedBlockingQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::run, "drill-removal");
    private volatile boolean closed;

    FtpCanaryRemover(FtpAccount account) {
        this.account = account;
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void remove(String name) {
        waiting.incrementAndGet();
        names.add(name);
    }

    @Override
    public int waiting() {
        return waiting.get();
    }

    @Override
    public List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void close() {
        closed = true;
    }

    private void run() {
        FTPClient client = null;
        try {
            while (!closed) {
                String name = names.take();
                try {
                    client = client == null ? account.open() : client;
                    delete(client, name);
                } catch (IOException e) {
                    FtpAccount.close(client);
                    client = null;
                    again(name);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            FtpAccount.close(client);
        }
    }

    private void delete(@Nullable FTPClient client, String name) throws IOException, InterruptedException {
        if (client == null) {
            return;
        }
        int code = client.dele(account.path(name));
        String reply = client.getReplyString().strip();
        boolean gone = FTPReply.isPositiveCompletion(code) || reply.contains("No such file");
        if (gone) {
            waiting.decrementAndGet();
        } else if (FTPReply.isNegativePermanent(code) && code != FTPReply.SERVICE_NOT_AVAILABLE) {
            failures.add(name + " could not be removed: " + reply);
            waiting.decrementAndGet();
        } else {
            again(name);
        }
    }

    private void again(String name) throws InterruptedException {
        names.add(name);
        Thread.sleep(PAUSE_MILLIS);
    }
}
