import java.sql.DriverManager;
import java.sql.SQLException;

/** Derby in memory, with its row locks, and shut down at the end. */
public class DerbyLoad {
    public static void main(String[] args) throws Exception {
        System.setProperty("derby.stream.error.field", "java.lang.System.err");
        SqlLoad.run(args, () -> DriverManager.getConnection("jdbc:derby:memory:load;create=true"));
        try {
            DriverManager.getConnection("jdbc:derby:;shutdown=true");
        } catch (SQLException e) {
            // This is how Derby says that it has shut down.
            Load.check("XJ015".equals(e.getSQLState()), e.toString());
        }
    }
}
