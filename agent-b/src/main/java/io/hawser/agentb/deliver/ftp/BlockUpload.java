package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.core.model.FragmentRanges;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.commons.net.ftp.FTPReply;

/**
 * Uploads in extended block mode (GFD.20 §3.4) over several data connections. Meanwhile it notes the 111 range markers that the server sends;
 * after a crash of either side it sends only the rest ({@code REST a-b,…}).
 *
 * <p>Thread: a delivering thread; threads of {@link BlockSender} send the blocks.
 */
record BlockUpload(StallWatchdog watch, FarOptions options) implements FarUpload {
    @Override
    public void run(FarSession session, UploadSource source, String path, DeliveryCheckpoint checkpoint)
            throws IOException {
        FragmentRanges present = present(session, source, path, checkpoint);
        long prefix = present.firstMissing(0);
        if (prefix > 0 && source.awaitReadable(prefix, () -> {}) <= prefix) {
            return;
        }
        FarFtpClient client = session.client();
        client.command("MODE", "E");
        InetSocketAddress address = client.passive();
        if (!present.isEmpty()) {
            client.command("REST", RangeList.text(present));
        }
        if (source.sizeBytes() != UploadSource.UNKNOWN) {
            int unused = client.sendCommand("ALLO", Long.toString(source.sizeBytes())); // a hint; a refusal is harmless
        }
        try (BlockSender sender =
                        new BlockSender(source, present, address, connections(source), options, client.security());
                StallWatchdog.Watched watched = watch.watch(() -> {
                    sender.abandon();
                    session.abandon();
                })) {
            transfer(client, path, sender, watched, present, checkpoint);
            checkpoint.ranges("0-" + sender.endBytes());
        }
    }

    private int connections(UploadSource source) {
        if (source.sizeBytes() == UploadSource.UNKNOWN) {
            return options.parallelism().streams();
        }
        long blocks = source.sizeBytes() / BlockSender.BLOCK_BYTES + 1;
        return (int) Math.min(options.parallelism().streams(), blocks);
    }

    /** The ranges that earlier attempts noted, if the size of the temporary file agrees. */
    private static FragmentRanges present(
            FarSession session, UploadSource source, String path, DeliveryCheckpoint checkpoint) throws IOException {
        long size = session.sizeOf(path);
        FragmentRanges noted = RangeList.parse(checkpoint.ranges());
        long most = source.sizeBytes() == UploadSource.UNKNOWN ? Long.MAX_VALUE : source.sizeBytes();
        boolean plausible = size >= noted.end() && size <= most;
        if (plausible && !noted.isEmpty()) {
            return noted;
        }
        if (size >= 0) {
            session.delete(path); // blocks come in any order, so its size alone proves nothing
        }
        return new FragmentRanges();
    }

    private void transfer(
            FarFtpClient client,
            String path,
            BlockSender sender,
            StallWatchdog.Watched watched,
            FragmentRanges present,
            DeliveryCheckpoint checkpoint)
            throws IOException {
        int usual = client.getSoTimeout();
        client.setSoTimeout(0); // the watchdog watches both the replies and the data
        try {
            sender.connectFirst();
            int code = client.sendCommand("STOR", path);
            if (FTPReply.isPositivePreliminary(code)) {
                sender.start(watched::progress);
            }
            while (FTPReply.isPositivePreliminary(code)) {
                watched.progress();
                if (RangeList.isMarker(client.getReplyString())) {
                    RangeList.addMarker(present, client.getReplyString());
                    checkpoint.ranges(RangeList.text(present));
                }
                code = client.getReply();
            }
            if (!FTPReply.isPositiveCompletion(code)) {
                throw sender.reason(new FarRefusedException("STOR", code, client.getReplyString()));
            }
        } catch (FarRefusedException e) {
            throw e;
        } catch (IOException e) {
            throw watched.wasSilent() ? watched.reason(e) : sender.failure(e);
        }
        client.setSoTimeout(usual);
    }
}
