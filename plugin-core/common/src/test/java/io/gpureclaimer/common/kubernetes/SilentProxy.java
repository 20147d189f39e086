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
import java.util.concurrent.atomic.AtomicBoolean;

/** Forwards connections to a server; can fall silent without closing any of them, or cut them. */
public final class SilentProxy implements AutoCloseable {
  private final ServerSocket entry;
  private final URI target;
  private final AtomicBoolean silent = new AtomicBoolean();
  private final Collection<Socket> open = new ConcurrentLinkedQueue<>();

  /** Listens on a port of its own. */
  public SilentProxy(URI target) throws IOException {
    this.target = target;
    this.entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Where it listens. */
  public URI address() {
    return URI.create("http://localhost:" + entry.getLocalPort() + "/");
  }

  /** Bytes get lost from now on, in both directions, on old and new connections. */
  public void fallSilent() {
    silent.set(true);
  }

  /** Closes every connection that is open now; new ones are welcome. */
  public void cut() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    open.clear();
  }

  @Override
  public void close() throws IOException {
    entry.close();
    cut();
  }

  private void accept() {
    try {
      while (!entry.isClosed()) {
        Socket in = entry.accept();
        Socket out = new Socket(target.getHost(), target.getPort());
        open.add(in);
        open.add(out);
        Thread.ofVirtual().start(() -> forward(in, out));
        Thread.ofVirtual().start(() -> forward(out, in));
      }
    } catch (IOException e) {
      if (!entry.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void forward(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      byte[] buffer = new byte[8192];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (!silent.get()) {
          out.write(buffer, 0, read);
          out.flush();
        }
      }
    } catch (IOException e) {
      // One side closed, and so does the other.
      return;
    }
  }
}
