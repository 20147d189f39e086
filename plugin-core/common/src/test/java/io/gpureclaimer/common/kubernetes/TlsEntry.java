package io.gpureclaimer.common.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** The TLS side of a server that has none, with a certificate that can be replaced. */
public final class TlsEntry implements AutoCloseable {
  private final ServerSocket entry;
  private final URI target;
  private final AtomicReference<SSLContext> identity;
  private final Collection<Socket> open = new ConcurrentLinkedQueue<>();

  /** Listens on a port of its own. */
  public TlsEntry(URI target, SSLContext identity) throws IOException {
    this.target = target;
    this.identity = new AtomicReference<>(identity);
    this.entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Where it listens. */
  public URI address() {
    return URI.create("https://localhost:" + entry.getLocalPort() + "/");
  }

  /** Presents another certificate from now on, as after a restart: open connections are cut. */
  public void restartAs(SSLContext another) throws IOException {
    identity.set(another);
    cut();
  }

  @Override
  public void close() throws IOException {
    entry.close();
    cut();
  }

  private void cut() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    open.clear();
  }

  private void accept() {
    try {
      while (!entry.isClosed()) {
        Socket in = entry.accept();
        Thread.ofVirtual().start(() -> serve(in));
      }
    } catch (IOException e) {
      if (!entry.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void serve(Socket plain) {
    try {
      SSLContext shown = identity.get();
      var in = (SSLSocket) shown.getSocketFactory().createSocket(plain, null, true);
      var out = new Socket(target.getHost(), target.getPort());
      open.add(in);
      open.add(out);
      if (!shown.equals(identity.get())) {
        // Connections that were opened during the cut would otherwise stay.
        in.close();
        out.close();
        return;
      }
      Thread.ofVirtual().start(() -> forward(in, out));
      forward(out, in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void forward(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      byte[] buffer = new byte[8192];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
        out.flush();
      }
    } catch (IOException e) {
      // One side closed, and so does the other.
      return;
    }
  }
}
