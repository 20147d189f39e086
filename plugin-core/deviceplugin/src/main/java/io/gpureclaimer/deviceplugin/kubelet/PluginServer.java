package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.common.http.AcceptFailures;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.Endpoint;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.ServerStart;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.ServerStart.Impossible;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.ServerStart.Opened;
import io.gpureclaimer.deviceplugin.kubelet.SocketState.FileIdentity;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import io.gpureclaimer.deviceplugin.plugin.DevicePluginService;
import io.grpc.Attributes;
import io.grpc.Server;
import io.grpc.ServerTransportFilter;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A gRPC server on a socket of the kubelet's folder. Confined to the thread that made it.
 *
 * <p>It listens under a name that no client knows, and is linked to its own once it does. So no
 * call is in vain, and Netty, which deletes the path that it has bound whatever is there by then,
 * deletes nothing.
 */
final class PluginServer implements Endpoint {
  private static final Logger log = LoggerFactory.getLogger(PluginServer.class);

  /** Of one connection; the kubelet has one call of each kind open at most. */
  private static final int CONCURRENT_CALLS = 64;

  /** Of a connection without a call. The kubelet's always has ListAndWatch. */
  private static final Duration LONGEST_IDLE = Duration.ofMinutes(1);

  private final Server server;
  private final DevicePluginService service;
  private final Connections connections;
  private final Path socket;
  private final FileIdentity identity;

  private PluginServer(
      Server server,
      DevicePluginService service,
      Connections connections,
      Path socket,
      FileIdentity identity) {
    this.server = server;
    this.service = service;
    this.connections = connections;
    this.socket = socket;
    this.identity = identity;
  }

  /**
   * @param hidden where to begin to listen; beside {@code socket}
   * @param loop moves the bytes
   * @param calls runs what the calls ask for
   * @param handshake for a client to begin HTTP/2
   */
  static ServerStart open(
      Path socket,
      Path hidden,
      DevicePluginService service,
      Connections connections,
      EventLoopGroup loop,
      Executor calls,
      Duration handshake) {
    try {
      var server =
          NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(hidden))
              .channelFactory(PluginServer::listener)
              .bossEventLoopGroup(loop)
              .workerEventLoopGroup(loop)
              .executor(calls)
              .handshakeTimeout(handshake.toMillis(), TimeUnit.MILLISECONDS)
              .maxConnectionIdle(LONGEST_IDLE.toMillis(), TimeUnit.MILLISECONDS)
              .maxConcurrentCallsPerConnection(CONCURRENT_CALLS)
              .addService(service)
              .addTransportFilter(connections)
              .build()
              .start();
      return publish(server, socket, hidden, service, connections);
    } catch (IOException e) {
      return noSocket(socket, e);
    }
  }

  private static ServerChannel listener() {
    var listener = new NioServerDomainSocketChannel();
    listener.pipeline().addFirst(new AcceptFailures("device plugin"), new ConnectionLimit());
    return listener;
  }

  /** Without its name, which is another one at each attempt: the same problem is reported once. */
  private static Impossible noSocket(Path socket, IOException e) {
    Path folder = socket.resolveSibling("");
    String root =
        Files.isDirectory(folder) && !Files.isWritable(folder)
            ? ", where this user may not write: the kubelet's folder is root's"
            : "";
    return new Impossible("cannot make a socket in " + folder + ": " + innermost(e) + root);
  }

  private static ServerStart publish(
      Server server,
      Path socket,
      Path hidden,
      DevicePluginService service,
      Connections connections) {
    try {
      Files.createLink(socket, hidden);
      // A kubelet that starts may have deleted it by now.
      Files.deleteIfExists(hidden);
      if (SocketState.of(socket) instanceof SocketState.Present(var identity)) {
        return new Opened(new PluginServer(server, service, connections, socket, identity));
      }
      server.shutdownNow();
      return new Impossible(socket + " was deleted as soon as it was there");
    } catch (FileAlreadyExistsException _) {
      server.shutdownNow();
      return new Impossible(socket + " exists, and is not ours: we leave it alone");
    } catch (IOException e) {
      server.shutdownNow();
      return noSocket(socket, e);
    }
  }

  @Override
  public String name() {
    return socket.getFileName().toString();
  }

  @Override
  public boolean inPlace() {
    return SocketState.of(socket).equals(new SocketState.Present(identity));
  }

  @Override
  public void offer(ResourceDevices offered) {
    service.offer(offered);
  }

  @Override
  public int streams() {
    return service.streams();
  }

  @Override
  public boolean connected() {
    return connections.any();
  }

  @Override
  public void drain() {
    remove();
    service.endStreams();
    server.shutdown();
  }

  @Override
  public void cut() {
    server.shutdownNow();
  }

  @Override
  public boolean gone() {
    return server.isTerminated();
  }

  /** Only what is ours: by now another program may have the name. */
  private void remove() {
    if (inPlace()) {
      try {
        Files.deleteIfExists(socket);
      } catch (IOException e) {
        log.warn("{} could not be deleted; the kubelet deletes it at its next start", socket, e);
      }
    }
  }

  private static String innermost(Throwable thrown) {
    Throwable at = thrown;
    while (at.getCause() != null) {
      at = at.getCause();
    }
    return at.toString();
  }

  /** Counts the connections of a server. For any thread. */
  static final class Connections extends ServerTransportFilter {
    private final AtomicInteger open = new AtomicInteger();
    private final Runnable changed;

    /**
     * @param changed is called when a client has disconnected
     */
    Connections(Runnable changed) {
      this.changed = changed;
    }

    boolean any() {
      return open.get() > 0;
    }

    @Override
    public Attributes transportReady(Attributes attributes) {
      open.incrementAndGet();
      return attributes;
    }

    /**
     * @param attributes null if the client left before the transport was ready, as a probe does
     */
    @Override
    public void transportTerminated(@Nullable Attributes attributes) {
      if (attributes != null) {
        open.decrementAndGet();
        changed.run();
      }
    }
  }
}
