package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.core.model.FragmentRanges;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.commons.net.ftp.FTPReply;

/**
 * Uploads in extended block mode (GFD.20 §3.4) over several data connections. While the blocks go, the control connection is read:
 * what the server says it has (111 range markers) is noted, and after a crash of either side only the rest is sent ({@code REST a-b,…}).
 *
 * <p>Thread: the target's; the blocks are sent by threads of {@link BlockSender}.
 */
final class BlockUpload implements Upload {
    private final StallWatchdog watch;
    private final FarOptions options;

    BlockUpload(StallWatchdog watch, FarOptions options) {
        this.watch = watch;
        this.options = options;
    }

    @Override
    public void run(FarSession session, UploadSource source, String path, DeliveryNote note) throws IOException {
        FragmentRanges there = whatIsThere(session, source, path, note);
        long prefix = there.firstMissing(0);
        if (prefix > 0 && source.readableBeyond(prefix, () -> {}) <= prefix) {
            return;
        }
        FarFtpClient client = session.client();
        client.command("MODE", "E");
        InetSocketAddress address = client.passive();
        if (!there.isEmpty()) {
            client.command("REST", RangeList.text(there));
        }
        if (source.sizeBytes() != UploadSource.UNKNOWN) {
            int unused = client.sendCommand("ALLO", Long.toString(source.sizeBytes())); // a hint; a refusal is harmless
        }
        try (BlockSender sender =
                        new BlockSender(source, there, address, connections(source), options, client.security());
                StallWatchdog.Watched watched = watch.watch(() -> {
                    sender.abandon();
                    session.abandon();
                })) {
            transfer(client, path, sender, watched, there, note);
            note.ranges("0-" + sender.endBytes());
        }
    }

    private int connections(UploadSource source) {
        if (source.sizeBytes() == UploadSource.UNKNOWN) {
            return options.parallelism().streams();
        }
        long blocks = source.sizeBytes() / BlockSender.BLOCK_BYTES + 1;
        return (int) Math.min(options.parallelism().streams(), blocks);
    }

    /** What earlier attempts know to be there, as far as the temporary file bears it out. */
    private static FragmentRanges whatIsThere(FarSession session, UploadSource source, String path, DeliveryNote note)
            throws IOException {
        long size = session.sizeOf(path);
        FragmentRanges noted = RangeList.parse(note.ranges());
        long most = source.sizeBytes() == UploadSource.UNKNOWN ? Long.MAX_VALUE : source.sizeBytes();
        boolean plausible = size >= noted.end() && size <= most;
        if (plausible && !noted.isEmpty()) {
            return noted;
        }
        if (size >= 0) {
            session.delete(path); // blocks come in any order, so its size says nothing
        }
        return new FragmentRanges();
    }

    private void transfer(
            FarFtpClient client,
            String path,
            BlockSender sender,
            StallWatchdog.Watched watched,
            FragmentRanges there,
            DeliveryNote note)
            throws IOException {
        int usual = client.getSoTimeout();
        client.setSoTimeout(0); // the watch looks at both the replies and the data
        try {
            sender.connectFirst();
            int code = client.sendCommand("STOR", path);
            if (FTPReply.isPositivePreliminary(code)) {
                sender.start(watched::progress);
            }
            while (FTPReply.isPositivePreliminary(code)) {
                watched.progress();
                if (RangeList.isMarker(client.getReplyString())) {
                    RangeList.addMarker(there, client.getReplyString());
                    note.ranges(RangeList.text(there));
                }
                code = client.getReply();
            }
            if (!FTPReply.isPositiveCompletion(code)) {
                throw sender.reason(new FarRefusedException("STOR", code, client.getReplyString()));
            }
        } catch (FarRefusedException e) {
            throw e;
        } catch (IOException e) {
            if (watched.wasSilent()) {
                throw new IOException("the far server took nothing and said nothing for too long", e);
            }
            throw sender.failure(e);
        }
        client.setSoTimeout(usual);
    }
}
