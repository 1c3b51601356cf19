package io.hawser.agentb.deliver.ftp;

import java.io.IOException;

/** One way of bringing the bytes of a landing file to a path of the far server. Goes on where an earlier attempt broke off. */
interface Upload {
    /**
     * Uploads what is not there yet.
     *
     * @param note what earlier attempts wrote down, and what later ones are to know
     * @throws FarRefusedException if the server does not take it
     */
    void run(FarSession session, LandedFile file, String path, DeliveryNote note) throws IOException;
}
