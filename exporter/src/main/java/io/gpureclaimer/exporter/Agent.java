package io.gpureclaimer.exporter;

import io.gpureclaimer.exporter.config.Version;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.BeanContextException;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.http.server.exceptions.ServerStartupException;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.yaml.snakeyaml.error.YAMLException;

/** The whole program without its command line: rooms, jobs and server. */
public sealed interface Agent {

  /** It runs until it is closed. */
  final class Running implements Agent, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Agent.class);

    private final ApplicationContext context;
    private final EmbeddedServer server;

    private Running(ApplicationContext context, EmbeddedServer server) {
      this.context = context;
      this.server = server;
    }

    /** The port that is listened on. */
    public int port() {
      return server.getPort();
    }

    @Override
    public void close() {
      log.info("gpu-exporter stops");
      server.stop();
      context.close();
    }
  }

  /** A property cannot be honored; {@code problem} is one line for the user. */
  record Misconfigured(String problem) implements Agent {}

  /** The address cannot be listened on; {@code problem} is one line for the user. */
  record NotListening(String problem) implements Agent {}

  /**
   * Starts it.
   *
   * @param properties what goes before every configuration file
   */
  static Agent start(Map<String, Object> properties) {
    var context =
        ApplicationContext.builder()
            .properties(properties)
            .deduceEnvironment(false)
            .banner(false)
            .build();
    try {
      context.start();
    } catch (BeanContextException | ConfigurationException | YAMLException e) {
      context.close();
      return new Misconfigured(Causes.misconfiguration(e));
    }
    return listen(context);
  }

  private static Agent listen(ApplicationContext context) {
    var server = context.getBean(EmbeddedServer.class);
    String host = context.getBean(HttpServerConfiguration.class).getHost().orElse("");
    try {
      server.start();
    } catch (ServerStartupException e) {
      String address = bracketed(host) + ":" + server.getPort();
      context.close();
      return new NotListening("cannot listen on " + address + ": " + Causes.innermost(e));
    }
    Running.log.info(
        "gpu-exporter {} listens on {}:{}",
        Version.ofThisProgram(),
        host.isEmpty() ? "[::]" : bracketed(host),
        server.getPort());
    return new Running(context, server);
  }

  private static String bracketed(String host) {
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }
}
