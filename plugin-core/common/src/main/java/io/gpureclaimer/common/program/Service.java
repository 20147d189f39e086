package io.gpureclaimer.common.program;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.BeanRegistration;
import io.micronaut.context.exceptions.BeanContextException;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.http.server.exceptions.ServerStartupException;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.executor.ExecutorFactory;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.yaml.snakeyaml.error.YAMLException;

/** A program without its command line: beans, jobs and server. */
public sealed interface Service {

  /** It runs until it is closed. */
  final class Running implements Service, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Service.class);

    private final String program;
    private final ApplicationContext context;
    private final EmbeddedServer server;

    private Running(String program, ApplicationContext context, EmbeddedServer server) {
      this.program = program;
      this.context = context;
      this.server = server;
    }

    /** The port that is listened on. */
    public int port() {
      return server.getPort();
    }

    /** A part of the program. */
    public <T> T part(Class<T> type) {
      return context.getBean(type);
    }

    @Override
    public void close() {
      log.info("{} stops", program);
      endSchedules();
      server.stop();
      context.close();
    }

    /**
     * A tick after the end of its job would create another job and start from the beginning; the
     * server ends all jobs with itself. It also ends its own threads, which could schedule
     * something.
     */
    private void endSchedules() {
      context.getActiveBeanRegistrations(ExecutorService.class).stream()
          .filter(Running::isConfigured)
          .map(BeanRegistration::getBean)
          .filter(ScheduledExecutorService.class::isInstance)
          .forEach(ExecutorService::shutdown);
    }

    private static boolean isConfigured(BeanRegistration<?> executor) {
      return executor.getBeanDefinition().getDeclaringType().stream()
          .anyMatch(ExecutorFactory.class::equals);
    }
  }

  /** A property cannot be honored; {@code problem} is one line for the user. */
  record Misconfigured(String problem) implements Service {}

  /** The address cannot be listened on; {@code problem} is one line for the user. */
  record NotListening(String problem) implements Service {}

  /**
   * Starts it.
   *
   * @param program its name and version, for the log
   * @param properties what goes before every configuration file
   * @param singletons parts that the host brings, instead of the program's own
   */
  static Service start(String program, Map<String, Object> properties, Object... singletons) {
    var context =
        ApplicationContext.builder()
            .properties(properties)
            .singletons(singletons)
            .deduceEnvironment(false)
            .banner(false)
            .build();
    try {
      context.start();
    } catch (BeanContextException | ConfigurationException | YAMLException e) {
      context.close();
      return new Misconfigured(Causes.ruleOf(e));
    }
    return listen(program, context);
  }

  private static Service listen(String program, ApplicationContext context) {
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
        "{} listens on {}:{}",
        program,
        host.isEmpty() ? "[::]" : bracketed(host),
        server.getPort());
    return new Running(program, context, server);
  }

  private static String bracketed(String host) {
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }
}
