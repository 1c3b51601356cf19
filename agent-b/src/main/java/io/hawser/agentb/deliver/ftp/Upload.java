package io.hawser.agentb.deliver.ftp;

import java.io.IOException;

/**
 * One way of bringing bytes to a path of the far server. Goes on where an earlier attempt broke off. Of an object that is still coming in
 * it brings what there is while it waits for more, and ends in order when there is none for long.
 */
interface Upload {
    /**
     * Uploads what is not there yet.
     *
     * @param note what earlier attempts wrote down, and what later ones are to know
     * @throws FarRefusedException if the server does not take it
     */
    void run(FarSession session, UploadSource source, String path, DeliveryNote note) throws IOException;
}
