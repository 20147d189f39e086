package io.gpureclaimer.verification.scenario.harness;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each test a {@link TestCluster}, writes down what a failed one saw, and tidies up. */
final class ClusterExtension
    implements ParameterResolver,
        AfterTestExecutionCallback,
        LifecycleMethodExecutionExceptionHandler {
  private static final Namespace OURS = Namespace.create(ClusterExtension.class);
  private static final Path TRACES = Path.of("target/scenarios");

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return cluster(context);
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      new FailureDump(cluster(context)).write(folder(context));
    }
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    new FailureDump(cluster(context)).write(folder(context));
    throw failure;
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    new FailureDump(cluster(context)).write(folder(context));
    throw failure;
  }

  /** Where the traces of a test lie, or of its class where several tests share something. */
  static Path folder(ExtensionContext context) {
    String test = context.getTestMethod().map(method -> '.' + method.getName()).orElse("");
    return TRACES.resolve(context.getRequiredTestClass().getSimpleName() + test);
  }

  /**
   * One for each test, or one for all tests of a class that takes it before all of them; the store
   * closes it when they are over.
   */
  static TestCluster cluster(ExtensionContext context) {
    context
        .getRoot()
        .getStore(OURS)
        .computeIfAbsent(Leftovers.class, _ -> removeLeftovers(), Object.class);
    return context
        .getStore(OURS)
        .computeIfAbsent(TestCluster.class, _ -> new TestCluster(), TestCluster.class);
  }

  /** Once, before the first test. */
  private static Object removeLeftovers() {
    try (var cluster = new TestCluster()) {
      Leftovers.remove(cluster.client());
      return Leftovers.class;
    }
  }
}
