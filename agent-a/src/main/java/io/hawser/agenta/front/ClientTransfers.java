package io.hawser.agenta.front;

import io.hawser.core.model.TransferKey;
import java.net.InetSocketAddress;

/**
 * Learns of clients' uploads and downloads from every front.
 *
 * <p>Thread: the loop.
 */
public interface ClientTransfers {
    /** Learns nothing. */
    ClientTransfers NONE = new ClientTransfers() {
        @Override
        public void began(TransferKey key, InetSocketAddress from) {}

        @Override
        public void ended(ClientTransfer transfer) {}
    };

    /** A client begins or continues an upload. */
    void began(TransferKey key, InetSocketAddress from);

    /** It is over, well or not. */
    void ended(ClientTransfer transfer);
}
