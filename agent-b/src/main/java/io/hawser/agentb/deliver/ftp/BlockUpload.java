package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.common.model.FragmentRanges;
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
    private final SilenceWatch watch;
    private final FarOptions options;

    BlockUpload(SilenceWatch watch, FarOptions options) {
        this.watch = watch;
        this.options = options;
    }

    @Override
    public void run(FarSession session, LandedFile file, String path, DeliveryNote note) throws IOException {
        FragmentRanges there = whatIsThere(session, file, path, note);
        if (file.sizeBytes() > 0 && there.containsAll(0, file.sizeBytes())) {
            return;
        }
        FarFtpClient client = session.client();
        client.command("MODE", "E");
        InetSocketAddress address = client.passive();
        if (!there.isEmpty()) {
            client.command("REST", RangeList.text(there));
        }
        int unused = client.sendCommand("ALLO", Long.toString(file.sizeBytes())); // a hint; a refusal is harmless
        try (BlockSender sender = new BlockSender(file, there, address, connections(file), options.connectTimeout());
                SilenceWatch.Watched watched = watch.watch(() -> {
                    sender.abandon();
                    session.abandon();
                })) {
            transfer(client, path, sender, watched, there, note);
        }
        note.ranges("0-" + file.sizeBytes());
    }

    private int connections(LandedFile file) {
        long blocks = file.sizeBytes() / BlockSender.BLOCK_BYTES + 1;
        return (int) Math.min(options.streams(), blocks);
    }

    /** What earlier attempts know to be there, as far as the temporary file bears it out. */
    private static FragmentRanges whatIsThere(FarSession session, LandedFile file, String path, DeliveryNote note)
            throws IOException {
        long size = session.sizeOf(path);
        FragmentRanges noted = RangeList.parse(note.ranges());
        boolean plausible = size >= noted.end() && size <= file.sizeBytes() && noted.end() <= file.sizeBytes();
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
            SilenceWatch.Watched watched,
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
                throw new FarRefusedException("STOR", code, client.getReplyString());
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
