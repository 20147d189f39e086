package io.gpureclaimer.verification.scenario.harness;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each test a {@link TestCluster}, writes down what a failed one saw, and tidies up. */
final class ClusterExtension implements ParameterResolver, AfterTestExecutionCallback {
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
      new Traces(cluster(context)).write(folder(context));
    }
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
    return context
        .getStore(OURS)
        .computeIfAbsent(TestCluster.class, _ -> new TestCluster(), TestCluster.class);
  }
}
